import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '../../dev/processes/free-port';
import { START_OPTIONS } from '../../dev/processes/start-options';
import { createEmptyDatabase, type TestDatabase } from '../support/database';
import { playBlocks } from '../support/docs-commands';
import { blocksFor, pagesFor } from '../support/docs-ledger';
import { ROOT } from '../support/documents';
import { testTemporalAddress } from '../support/temporal';
import { takeNamespace } from '../support/temporal-namespace';

/** What is built from; the rest of the folder is not copied. */
const SOURCES = [
  'package.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'clients/typescript/package.json',
];
const FOLDERS = ['src', 'schemas', 'workflows', 'activities'];

/** Waits for what both programs tell, and stops them as a supervisor does. */
const THEN = `
soon() { n=0; until "$@"; do n=$((n + 1)); test $n -lt 300 || { cat worker.log; return 1; }; sleep 0.2; done; }
soon curl "http://127.0.0.1:$PORT/health/ready"
soon grep -q 'worker is polling' worker.log
kill $api $worker
wait $api
wait $worker
trap - EXIT
echo stopped in order
`;

/** The command that writes the settings, pasted once more, fails and leaves them as they are. */
const again = (commands: string): string => {
  const [write = ''] = /^\(set -o noclobber[^]*? > \.env\)$/m.exec(commands) ?? [];
  return `cp .env kept; if ${write}; then exit 1; fi; cmp .env kept\n`;
};

let directory: string;
let database: TestDatabase;
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'built-'));
  for (const path of [...SOURCES, ...FOLDERS]) {
    cpSync(join(ROOT, path), join(directory, path), { recursive: true });
  }
  symlinkSync(join(ROOT, 'node_modules'), join(directory, 'node_modules'));
  database = await createEmptyDatabase();
});
afterEach(async () => {
  rmSync(directory, { recursive: true, force: true });
  await database.drop();
});

test.each(pagesFor('built'))(
  'the commands of %s build, set up and run the service',
  async (page) => {
    const commands = blocksFor('built', page)
      .map((block) => block.commands)
      .join('');
    const worker = `${START_OPTIONS.worker.join(' ')} --env-file=.env dist/src/bin/worker.js `;
    const [port, metricsPort] = [await findFreePort(), await findFreePort()];
    const printed = await playBlocks(
      [{ commands: `${commands}${again(commands)}${THEN}`, prints: null }],
      {
        directory,
        replaced: {
          // Fetches packages; those of this folder stand for them.
          'npm ci && ': '',
          'postgres://…': database.url,
          'temporal:7233': testTemporalAddress(),
          'TEMPORAL_NAMESPACE=pos': `TEMPORAL_NAMESPACE=${await takeNamespace()}`,
          // A reader has a terminal or a unit for each.
          'dist/src/bin/api.js ': 'dist/src/bin/api.js > api.log & api=$! ',
          [`node ${worker}`]: `METRICS_PORT= node ${worker}> worker.log & worker=$!; trap "kill $api $worker" EXIT `,
        },
        env: { HOST: '127.0.0.1', PORT: String(port), METRICS_PORT: String(metricsPort) },
      },
    );
    expect(printed[0]).toContain('"postgres":"ok"');
    expect(printed[0]).toMatch(/stopped in order$/);
  },
);
