import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '../../dev/processes/free-port';
import { POOLER_CONNECT_QUERY } from '../../src/platform/db/session-settings';

export interface Pooler {
  readonly url: string;
  stop(): Promise<void>;
}

/** It refuses to run as root. */
const NOBODY = 65_534;

/** The PgBouncer `binary` in transaction mode, with 20 sessions, in front of the database that `direct` leads to. */
export async function startPgBouncer(binary: string, direct: string): Promise<Pooler> {
  const { hostname, port, username, password, pathname } = new URL(direct);
  const own = await findFreePort();
  const database = pathname.slice(1);
  const directory = await mkdtemp(join(tmpdir(), 'pos-integrations-pgbouncer-'));
  const file = join(directory, 'pgbouncer.ini');
  const server = `host=${hostname} port=${port} dbname=${database} user=${username} password=${password}`;
  await writeFile(
    file,
    `[databases]
${database} = ${server} connect_query='${POOLER_CONNECT_QUERY}'
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${own}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 20
max_client_conn = 500
`,
  );
  await chmod(directory, 0o755);
  const isRoot = process.getuid?.() === 0;
  const child = spawn(binary, ['-q', file], {
    stdio: ['ignore', 'ignore', 'inherit'],
    ...(isRoot ? { uid: NOBODY, gid: NOBODY } : {}),
  });
  const url = new URL(direct);
  url.port = String(own);
  while (!(await accepts(own))) {
    if (child.exitCode !== null) throw new Error('PgBouncer has ended');
    await sleep(50);
  }
  return {
    url: url.href,
    async stop() {
      if (child.exitCode === null) {
        child.kill('SIGINT');
        await once(child, 'exit');
      }
      await rm(directory, { recursive: true, force: true });
    },
  };
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const tell = (answers: boolean) => () => {
      socket.destroy();
      resolve(answers);
    };
    socket.once('connect', tell(true)).once('error', tell(false));
  });
}
