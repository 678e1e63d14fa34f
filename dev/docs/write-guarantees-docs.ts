import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Proof } from '../../test/guarantee';
import { GUARANTEES } from '../../test/guarantees';

export const GUARANTEES_DOCS = join(__dirname, '..', '..', 'docs', 'guarantees.md');

/** docs/guarantees.md as it should be. */
export function guaranteesPage(): string {
  const sections = GUARANTEES.map(
    ({ promise, attack, proofs }, index) =>
      `## ${index + 1}. ${promise}\n\n${attack}\n\n${proofs.map(proofLines).join('\n')}\n`,
  );
  return `${HEAD}\n${sections.join('\n')}`;
}

const HEAD = `# What the service promises

Each promise, how the tests try to break it, and which tests those are. Written by \`dev/docs/write-guarantees-docs.ts\` from
[test/guarantees.ts](../test/guarantees.ts).

\`\`\`sh
npm run guarantees              # runs all of these tests and prints a table: promise, runs, violations
npm run chaos -- --minutes 10 --seed 7   # the random faults for longer, with a seed of your own
\`\`\`

**How long**: all of the tests take about an hour on two cores, which is an estimate; the random faults take as long as you say.

What it does not promise: exactly-once delivery over HTTP (receivers recognise repeats by \`webhook-id\`), and an order
between subscriptions.
`;

function proofLines({ file, titles = [] }: Proof): string {
  const lines = titles.map((title) => `  - ${title}`);
  return [`- [${file}](../${file})`, ...lines].join('\n');
}

if (require.main === module) writeFileSync(GUARANTEES_DOCS, guaranteesPage());
