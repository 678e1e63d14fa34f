import { type Judge, openJudge, type WrongAdapter } from './judge-adapter';
import type { JudgedApp } from './judged-shop';

interface Table {
  readonly app: JudgedApp;
  readonly wrong: readonly WrongAdapter[];
  /** The app's rules by name: each has a wrong adapter that it detects. */
  readonly rules: readonly string[];
}

/** A simulator that takes what its app would not take flatters us: each rule has an adapter that is wrong about it. */
export function describeWrongAdapters({ app, wrong, rules }: Table): void {
  let judge: Judge;
  beforeAll(async () => {
    judge = await openJudge(app);
  });
  afterAll(() => judge.close());

  test('the right adapter breaks no rule', async () => {
    expect(await judge.judge()).toBe('nothing');
  });

  test.each(wrong)('$what: $found', async ({ found, ...adapter }) => {
    expect(await judge.judge(adapter)).toContain(found);
  });

  test('each rule of the app has an adapter that breaks it', () => {
    expect(rules.filter((rule) => !wrong.some(({ found }) => found.includes(rule)))).toEqual([]);
  });
}
