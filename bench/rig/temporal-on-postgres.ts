import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder } from '../../dev/processes/cache-folder';

export interface TemporalPrograms {
  /** Has `temporal-server` and `temporal-sql-tool`, named as in the images. */
  readonly folder: string;
  /** The image's `/etc/temporal/schema`. */
  readonly schema: string;
}

const run = promisify(execFile);

/** Builds the server and its tool for databases of this version with Go, once, some minutes; rejects where there is no Go. */
export async function buildTemporalPrograms(version: string): Promise<TemporalPrograms> {
  const folder = join(cacheFolder(), `temporal-server-${version}`);
  const server = `go.temporal.io/server@v${version}`;
  const env = { ...process.env, CGO_ENABLED: '0', GOFLAGS: '', GOWORK: 'off', GOBIN: folder };
  await mkdir(folder, { recursive: true });
  for (const [source, name] of [
    ['cmd/server', 'temporal-server'],
    ['cmd/tools/sql', 'temporal-sql-tool'],
  ] as const) {
    const program = join(folder, name);
    if (existsSync(program)) continue;
    const made = join(folder, source.split('/').at(-1) ?? '');
    const flags = ['-trimpath', '-ldflags', '-s -w', '-tags', 'disable_grpc_modules'];
    const target = server.replace('@', `/${source}@`);
    await run('go', ['install', ...flags, target], { cwd: folder, env });
    await chmod(made, 0o755);
    await rename(made, program);
  }
  const { stdout } = await run('go', ['mod', 'download', '-json', server], { cwd: folder, env });
  const { Dir: directory } = JSON.parse(stdout) as { Dir: string };
  return { folder, schema: join(directory, 'schema') };
}
