import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { playBlocks } from '../support/docs-commands';
import { blocksFor, pagesFor } from '../support/docs-ledger';
import { ROOT } from '../support/documents';
import { VERSION } from '../../src/contract/version';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'clients-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const isSource = (path: string) => !/[\\/](node_modules|dist|__pycache__)$/.test(path);
const play = (page: string, env: Readonly<Record<string, string>> = {}) =>
  playBlocks(blocksFor('clients', page), { directory, replaced: {}, env });

test('there are no other clients to install', () => {
  expect(pagesFor('clients')).toEqual(['clients/python/README.md', 'clients/typescript/README.md']);
});

test('the TypeScript client is built and packed as its page says, and a program can use it', async () => {
  for (const path of ['package.json', 'tsconfig.json', 'clients/typescript']) {
    cpSync(join(ROOT, path), join(directory, path), { recursive: true, filter: isSource });
  }
  for (const folder of ['node_modules', 'clients/typescript/node_modules']) {
    symlinkSync(join(ROOT, folder), join(directory, folder));
  }
  await play('clients/typescript/README.md');
  const program = join(directory, 'program');
  mkdirSync(program);
  // npm would look for one further up.
  writeFileSync(join(program, 'package.json'), '{}');
  const packed = join(directory, `pos-integrations-client-${VERSION}.tgz`);
  const npm = ['install', '--offline', '--no-audit', '--no-fund', packed];
  execFileSync('npm', npm, { cwd: program, stdio: 'pipe' });
  const use = "Object.keys(require('pos-integrations-client')).sort().join()";
  const exported = execFileSync(process.execPath, ['-p', use], { cwd: program, encoding: 'utf8' });
  expect(exported).toContain('ApiError');
  expect(exported).toContain('createClient');
  expect(exported).toContain('verifyWebhook');
});

/** Offline, pip builds with what is installed; older setuptools need `wheel`. */
const PROBE = `import sys, importlib.util as found
sys.exit(sys.version_info < (3, 11) or not found.find_spec('setuptools')
  or not (found.find_spec('wheel') or found.find_spec('setuptools.command.bdist_wheel')))`;
/** The first `python3` that can: one that was made for a project often has no `wheel`, the system's has. */
const PATH = [process.env['PATH'] ?? '', `/usr/bin:${process.env['PATH']}`].find((path) => {
  const env = { ...process.env, PATH: path };
  const runs = (...args: string[]) => spawnSync('python3', args, { env }).status === 0;
  return runs('-m', 'pip', '--version') && runs('-c', PROBE);
});

if (PATH === undefined) {
  test('NOT RUN: the installation of the client in Python, as pip, setuptools, wheel or Python 3.11 is missing', () => {
    expect(PATH).toBeUndefined();
  });
} else {
  test('the Python client is installed as its page says, and a program can use it', async () => {
    const path = 'clients/python';
    cpSync(join(ROOT, path), join(directory, path), { recursive: true, filter: isSource });
    const target = join(directory, 'installed');
    // pip reads its options from variables; this one is negated twice: 0 is "no isolation".
    const offline = { PATH, PIP_NO_INDEX: '1', PIP_NO_BUILD_ISOLATION: '0', PIP_TARGET: target };
    await play('clients/python/README.md', offline);
    const use = 'from pos_integrations import ApiError, Client, verify_webhook; print(Client)';
    const env = { ...process.env, PATH, PYTHONPATH: target };
    const said = execFileSync('python3', ['-B', '-c', use], { cwd: target, env, encoding: 'utf8' });
    expect(said).toContain('pos_integrations');
  });
}
