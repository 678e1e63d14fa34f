import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');
const PACKAGE = join(ROOT, 'clients/typescript');

function run(program: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ended with ${status}:\n${stdout}${stderr}`);
  return stdout;
}

test('the types of the client match the description (update them with npm run clients)', () => {
  const said = run(process.execPath, ['--import', 'tsx', 'generate.mjs', '--check'], PACKAGE);
  expect(said).toBe('');
});

test('the built package has no dependencies and works with import and require', () => {
  const folder = mkdtempSync(join(tmpdir(), 'client-'));
  try {
    const installed = join(folder, 'node_modules/pos-integrations-client');
    cpSync(join(PACKAGE, 'package.json'), join(installed, 'package.json'));
    const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
    run(process.execPath, [compiler, '-p', PACKAGE, '--outDir', join(installed, 'dist')], folder);
    const use = `
      const client = createClient({ baseUrl: 'http://127.0.0.1:9', repeats: 0 });
      client.call('getUpload', { path: { upload_id: '' } })
        .catch((error) => console.log(error.message, typeof verifyWebhook));`;
    const names = '{ createClient, verifyWebhook }';
    writeFileSync(join(folder, 'use.mjs'), `import ${names} from 'pos-integrations-client';${use}`);
    writeFileSync(
      join(folder, 'use.cjs'),
      `const ${names} = require('pos-integrations-client');${use}`,
    );
    for (const file of ['use.mjs', 'use.cjs']) {
      expect(run(process.execPath, [file], folder)).toBe('getUpload needs upload_id function\n');
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});
