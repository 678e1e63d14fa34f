import { setImmediate as nextRound } from 'node:timers/promises';
import { createSharedStatements } from '../../src/platform/db/shared-statements';

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
  await nextRound();
  await nextRound();
  expect(runs[1]?.parties).toEqual(['b', 'c']);
});

test('a party is in one statement at a time, even with lanes to spare', async () => {
  const { statements, runs } = setUp({ lanes: 2 });
  statements.request('a');
  await nextRound();
  statements.request('a');
  statements.request('b');
  await nextRound();
  expect(runs.map((run) => run.parties)).toEqual([['a'], ['b']]);
  runs[0]?.end();
  await nextRound();
  await nextRound();
  expect(runs[2]?.parties).toEqual(['a']);
});

test('many parties are served in order, a limited number at a time', async () => {
  const { statements, runs } = setUp({ maxParties: 2 });
  for (const party of ['a', 'b', 'c', 'd', 'e']) statements.request(party);
  for (let round = 0; round < 3; round += 1) {
    await nextRound();
    await nextRound();
    runs[round]?.end();
  }
  expect(runs.map((run) => run.parties)).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
});
