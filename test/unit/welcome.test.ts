import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createWelcome } from '../../dev/start/welcome';
import { loadConfig } from '../../src/platform/config/config';

const config = loadConfig({
  DATABASE_URL: 'postgres://127.0.0.1/none',
  ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'),
});
const before = process.env['INIT_CWD'];
afterEach(() => {
  if (before === undefined) delete process.env['INIT_CWD'];
  else process.env['INIT_CWD'] = before;
});

/** The menu and the state as they are printed to somebody who called npm in a folder. */
function paths(calledIn: string): readonly (string | undefined)[] {
  process.env['INIT_CWD'] = calledIn;
  const directory = join(process.cwd(), '.data');
  const text = createWelcome({ config, token: 'T', sandboxUrl: 'http://127.0.0.1:1', directory });
  return [/--data @(\S+menu\.json)/.exec(text)?.[1], /State +(\S+) /.exec(text)?.[1]];
}

test('npm start names the menu as from its own folder, and whole for who is elsewhere, as with npx', () => {
  expect(paths(process.cwd())).toEqual(['dev/demo/menu.json', '.data']);
  const [menu = '', state] = paths(tmpdir());
  expect([menu, state]).toEqual([
    join(process.cwd(), 'dev/demo/menu.json'),
    join(process.cwd(), '.data'),
  ]);
  expect(existsSync(menu)).toBe(true);
});
