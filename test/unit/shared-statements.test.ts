import { setImmediate as nextRound } from 'node:timers/promises';
import { createSharedStatements } from '../../src/platform/db/shared-statements';

// Time stands still, but for what a test lets pass.
beforeEach(() => jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] }));
afterEach(() => jest.useRealTimers());

/** Until what has been requested has begun, and what has ended is known. */
async function rounds(): Promise<void> {
  await nextRound();
  await nextRound();
}

function setUp(options: { lanes?: number; maxParties?: number } = {}) {
  const runs: { parties: readonly string[]; end: () => void }[] = [];
  const statements = createSharedStatements<string>({
    lanes: 1,
    maxParties: 10,
    ...options,
    run: (parties) => new Promise((end) => runs.push({ parties, end })),
  });
  return { statements, runs };
}

test('simultaneous requests share a statement', async () => {
  const { statements, runs } = setUp();
  for (const party of ['a', 'b', 'a']) statements.request(party);
  await nextRound();
  expect(runs.map((run) => run.parties)).toEqual([['a', 'b']]);
});

test('requests during a statement wait for the next one, which begins when that one ends', async () => {
  const { statements, runs } = setUp();
  statements.request('a');
  await nextRound();
  for (const party of ['b', 'c']) statements.request(party);
  await nextRound();
  expect(runs).toHaveLength(1);
  runs[0]?.end();
  await rounds();
  expect(runs[1]?.parties).toEqual(['b', 'c']);
});

test('a party is in one statement at a time, even with lanes to spare', async () => {
  const { statements, runs } = setUp({ lanes: 2 });
  statements.request('a');
  await nextRound();
  jest.advanceTimersByTime(10);
  statements.request('a');
  statements.request('b');
  await nextRound();
  expect(runs.map((run) => run.parties)).toEqual([['a'], ['b']]);
  runs[0]?.end();
  await rounds();
  expect(runs[2]?.parties).toEqual(['a']);
});

test('many parties are served in order, a limited number at a time, and no lane rests after a full statement', async () => {
  const { statements, runs } = setUp({ maxParties: 2 });
  for (const party of ['a', 'b', 'c', 'd', 'e']) statements.request(party);
  for (let round = 0; round < 3; round += 1) {
    await rounds();
    runs[round]?.end();
  }
  expect(runs.map((run) => run.parties)).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
});

test('while statements follow each other closely a lane rests after each, and its parties with it', async () => {
  const { statements, runs } = setUp({ lanes: 2 });
  statements.request('a');
  await rounds();
  runs[0]?.end();
  jest.advanceTimersByTime(5);
  statements.request('b');
  await rounds();
  expect(runs[1]?.parties).toEqual(['b']); // the first did not rest: there was none before it
  runs[1]?.end();
  await rounds();
  statements.request('c');
  await rounds();
  expect(runs[2]?.parties).toEqual(['c']); // the other lane is free
  for (const party of ['d', 'b', 'e']) statements.request(party);
  jest.advanceTimersByTime(2);
  await rounds();
  expect(runs).toHaveLength(3);
  jest.advanceTimersByTime(1);
  await rounds();
  expect(runs.slice(3).map((run) => run.parties)).toEqual([['d', 'b', 'e']]);
});

test('a lane does not rest after a statement that began a while after the last', async () => {
  const { statements, runs } = setUp();
  for (const party of ['a', 'b', 'c']) {
    jest.advanceTimersByTime(8);
    statements.request(party);
    await rounds();
    expect(runs.at(-1)?.parties).toEqual([party]);
    runs.at(-1)?.end();
    await rounds();
  }
});

test('a patient request waits for others, for its time at most', async () => {
  const { statements, runs } = setUp();
  statements.request('a', 10);
  jest.advanceTimersByTime(6);
  statements.request('b', 10);
  await rounds();
  expect(runs).toEqual([]);
  jest.advanceTimersByTime(4);
  await rounds();
  expect(runs.map((run) => run.parties)).toEqual([['a', 'b']]);
  runs[0]?.end();
  await rounds();
  jest.advanceTimersByTime(20);
  statements.request('c', 10);
  await rounds();
  expect(runs).toHaveLength(1); // nothing of the first time is left
  jest.advanceTimersByTime(10);
  await rounds();
  expect(runs[1]?.parties).toEqual(['c']);
});

test('a patient request joins the statement of one that is not', async () => {
  const { statements, runs } = setUp();
  statements.request('a', 10);
  statements.request('b');
  await nextRound();
  expect(runs.map((run) => run.parties)).toEqual([['a', 'b']]);
  // Whoever comes while it runs goes with the next one, without a further wait.
  statements.request('c', 10);
  runs[0]?.end();
  await rounds();
  expect(runs[1]?.parties).toEqual(['c']);
});

test('after a patient request its party may become urgent', async () => {
  const { statements, runs } = setUp();
  statements.request('a', 10);
  statements.request('a');
  await nextRound();
  expect(runs.map((run) => run.parties)).toEqual([['a']]);
  jest.advanceTimersByTime(20);
  await rounds();
  expect(runs).toHaveLength(1);
});
