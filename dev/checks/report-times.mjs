import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';

const SHOWN = 15;
/** Longer files are split, or are nightly. */
const LONGEST_S = 20;

/** Keeps the time of each test file of Jest's report, slowest first, in seconds, and prints the slowest. */
export function reportTimes(report, kept) {
  if (!existsSync(report)) return;
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'));
  const times = testResults
    .map(({ name, startTime, endTime }) => ({
      file: relative(process.cwd(), name),
      seconds: Math.round((endTime - startTime) / 100) / 10,
    }))
    .toSorted((a, b) => b.seconds - a.seconds);
  writeFileSync(kept, `${JSON.stringify(times, null, 1)}\n`);
  const lines = times.slice(0, SHOWN).map(({ file, seconds }) => {
    const long =
      seconds > LONGEST_S ? `  (over ${LONGEST_S} s: split it, or move it to nightly)` : '';
    return `${seconds.toFixed(1).padStart(7)} s  ${file}${long}`;
  });
  process.stdout.write(
    `\nSlowest test files, of ${times.length}; all are in ${kept}\n${lines.join('\n')}\n`,
  );
}
