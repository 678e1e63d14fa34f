import { setImmediate as nextRound } from 'node:timers/promises';
import { createDueTurns } from '../../src/platform/db/due-turns';

function setUp(options: { lanes?: number; maxParties?: number } = {}) {
  const runs: { parties: readonly string[]; end: () => void }[] = [];
  const turns = createDueTurns<string>({
    lanes: 1,
    maxParties: 10,
    ...options,
    run: (parties) => new Promise((end) => runs.push({ parties, end })),
  });
  return { turns, runs };
}

test('simultaneous requests share a turn', async () => {
  const { turns, runs } = setUp();
  for (const party of ['a', 'b', 'a']) turns.request(party);
  await nextRound();
  expect(runs.map((run) => run.parties)).toEqual([['a', 'b']]);
});

test('requests during a turn wait for the next one, which begins when that one ends', async () => {
  const { turns, runs } = setUp();
  turns.request('a');
  await nextRound();
  for (const party of ['b', 'c']) turns.request(party);
  await nextRound();
  expect(runs).toHaveLength(1);
  runs[0]?.end();
  await nextRound();
  await nextRound();
  expect(runs[1]?.parties).toEqual(['b', 'c']);
});

test('a party has one turn at a time, even with lanes to spare', async () => {
  const { turns, runs } = setUp({ lanes: 2 });
  turns.request('a');
  await nextRound();
  turns.request('a');
  turns.request('b');
  await nextRound();
  expect(runs.map((run) => run.parties)).toEqual([['a'], ['b']]);
  runs[0]?.end();
  await nextRound();
  await nextRound();
  expect(runs[2]?.parties).toEqual(['a']);
});

test('many parties are served in order, a limited number at a time', async () => {
  const { turns, runs } = setUp({ maxParties: 2 });
  for (const party of ['a', 'b', 'c', 'd', 'e']) turns.request(party);
  for (let round = 0; round < 3; round += 1) {
    await nextRound();
    await nextRound();
    runs[round]?.end();
  }
  expect(runs.map((run) => run.parties)).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
});
