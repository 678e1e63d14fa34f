import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createOpenApiDocument } from '../../src/openapi/document';
import { ROUTES } from '../../src/run/routes';
import type { Finding } from './finding';

/** How a program ended; `says` is its last line where it failed or could not be started. */
interface Ended {
  readonly ok: boolean;
  readonly stdout: string;
  readonly says: string;
}

/** Makes all files of a release in `folder`, which is empty, and the image in the engine of this machine. */
export function makeReleaseFiles(
  root: string,
  folder: string,
  version: string,
): readonly Finding[] {
  const findings = [
    makeDescription(folder),
    makeBill(root, folder),
    packTypeScript(root, folder),
    packPython(root, folder),
    makeImage(root, version),
  ];
  writeSums(folder);
  return findings;
}

function makeDescription(folder: string): Finding {
  const document = createOpenApiDocument(ROUTES);
  writeFileSync(join(folder, 'openapi.json'), `${JSON.stringify(document, null, 2)}\n`);
  const operations = Object.values(document.paths).flatMap((path) => Object.keys(path));
  return { part: 'openapi', state: 'ok', says: `openapi.json, ${operations.length} operations` };
}

function makeBill(root: string, folder: string): Finding {
  const { ok, stdout, says } = run(root, process.execPath, join('dev', 'checks', 'sbom.mjs'));
  if (!ok) return { part: 'sbom', state: 'missing', says };
  writeFileSync(join(folder, 'sbom.json'), stdout);
  const { components } = JSON.parse(stdout) as { components: readonly unknown[] };
  return { part: 'sbom', state: 'ok', says: `sbom.json, ${components.length} packages` };
}

function packTypeScript(root: string, folder: string): Finding {
  const part = 'client-ts';
  const workspace = ['--workspace', 'pos-integrations-client'];
  const built = npm(root, 'run', '--silent', 'build', ...workspace);
  if (!built.ok) return { part, state: 'missing', says: built.says };
  const packed = npm(root, 'pack', '--silent', ...workspace, '--pack-destination', folder);
  return packed.ok
    ? { part, state: 'ok', says: packed.stdout.trim() }
    : { part, state: 'missing', says: packed.says };
}

/** The first that can build a wheel is taken: a Python that was made for a project often has no setuptools. */
const PYTHONS = ['python3', '/usr/bin/python3'];

/** From a copy, because pip builds beside the sources. */
function packPython(root: string, folder: string): Finding {
  const part = 'client-py';
  const copy = mkdtempSync(join(tmpdir(), 'python-client-'));
  try {
    cpSync(join(root, 'clients', 'python'), copy, { recursive: true });
    const wheel = ['-m', 'pip', 'wheel', '--no-deps', '--no-index', '--no-build-isolation'];
    PYTHONS.some((python) => run(copy, python, ...wheel, '--wheel-dir', folder, copy).ok);
    const made = readdirSync(folder).find((file) => file.endsWith('.whl'));
    return made === undefined
      ? { part, state: 'skipped', says: 'no Python here has pip, setuptools and wheel' }
      : { part, state: 'ok', says: made };
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

function makeImage(root: string, version: string): Finding {
  const part = 'image';
  const engine = ['docker', 'podman'].find((name) => run(root, name, 'info').ok);
  if (engine === undefined) {
    return { part, state: 'skipped', says: 'neither docker nor podman has an engine that answers' };
  }
  const name = `pos-integrations:${version}`;
  const { ok, says } = run(root, engine, 'build', '--quiet', '--tag', name, '.');
  return ok
    ? { part, state: 'ok', says: `${name}, in ${engine}` }
    : { part, state: 'missing', says: `${engine} build failed: ${says}` };
}

/** In the form of `sha256sum --check`. */
function writeSums(folder: string): void {
  const sums = readdirSync(folder)
    .toSorted()
    .map((file) => {
      const sum = createHash('sha256')
        .update(readFileSync(join(folder, file)))
        .digest('hex');
      return `${sum}  ${file}\n`;
    });
  writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''));
}

function npm(root: string, ...args: readonly string[]): Ended {
  const own = process.env['npm_execpath'];
  return own ? run(root, process.execPath, own, ...args) : run(root, 'npm', ...args);
}

export function run(cwd: string, program: string, ...args: readonly string[]): Ended {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  const words = error?.message ?? `${stdout}${stderr}`;
  return { ok: status === 0, stdout: stdout ?? '', says: words.trim().split('\n').at(-1) ?? '' };
}
