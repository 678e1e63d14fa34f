import { ROUTES } from '../../src/run/routes';
import { startWorld, type World } from '../api-contract/world';
import { declaredRequest } from '../support/declared-request';
import { answeredSpellings, spellingsOf } from '../support/path-spellings';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

test.each(ROUTES.map((route) => [`${route.method.toUpperCase()} ${route.path}`, route] as const))(
  '%s is at its own path and no other spelling of it',
  async (_name, route) => {
    const spellings = spellingsOf(route.path, declaredRequest(route, world.ids).path);
    expect(spellings.length).toBeGreaterThan(30);
    expect(await answeredSpellings(world, route, spellings)).toEqual([]);
  },
);
