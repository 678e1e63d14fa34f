import { runChaos } from '../support/chaos/run-chaos';

test('whatever is killed, frozen, cut off or loses its data, nothing is lost, wrong or sent twice at once, and no process crashes', async () => {
  const { violations, settledMs, uploads, events } = await runChaos({ seed: 7, ms: 30_000 });
  expect(violations).toEqual({
    lost: [],
    wrong: [],
    overlapping: [],
    doubled: [],
    late: [],
    endedByItself: [],
    surprising: [],
  });
  expect(settledMs).not.toBeNull();
  expect(uploads).toBeGreaterThan(10);
  expect(events).toBeGreaterThan(25);
}, 600_000);
