import { runFuzz } from '../support/fuzz/run-fuzz';

/** `npm run fuzz` sends 200,000. */
const CASES = 5_000;
/** The same for each run, so that only a change can cause a failure; `npm run fuzz` accepts any other seed. */
const SEED = Number(process.env['FUZZ_SEED'] ?? 7);

test(`${CASES} requests made from the declarations are answered, each by an answer that its route declares`, async () => {
  const warnings: string[] = [];
  const onWarning = ({ message }: Error) => void warnings.push(message);
  process.on('warning', onWarning);
  const report = await runFuzz({ cases: CASES, seed: SEED });
  process.off('warning', onWarning);
  process.stdout.write(
    `fuzz: seed ${SEED}, ${report.cases} requests in ${report.seconds.toFixed(1)} s, ${report.largestRss} MB at most\n`,
  );
  expect(report.complaints).toEqual([]);
  expect(warnings).toEqual([]);
  expect(report.cases).toBe(CASES);
  expect(report.bytesHeld).toBe(0);
  // They get as far as the handlers: not all are refused at the door. The rarest are a few, as routes are many.
  const all = [200, 201, 202, 400, 401, 403, 404, 405, 409, 415, 422];
  expect(all.filter((status) => report.statuses[status] === undefined)).toEqual([]);
}, 600_000);
