import { readFile } from 'node:fs/promises';
import { request } from 'node:https';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Caller } from './caller';
import type { Neighbours } from './neighbours';
import type { Deployment } from './deployment';

/** SQL_MAX_CONNS and SQL_VIS_MAX_CONNS of four services, as docs/scaling.md says. */
export const TEMPORAL_CONNECTIONS = 40;

/** What runs for good, and is killed. */
export const SERVICES = [
  'postgres',
  'temporal',
  'api',
  'worker',
  'proxy',
  'temporal-ui',
  'prometheus',
] as const;

export interface Tried {
  readonly deployment: Deployment;
  readonly neighbours: Neighbours;
  readonly caller: Caller;
}

/** Fails the attempt unless it holds. */
export function expect(holds: boolean, otherwise: string): void {
  if (!holds) throw new Error(otherwise);
}

/** Until an API answers through the proxy. */
export async function up({ compose }: Deployment): Promise<void> {
  await compose('up', '-d', '--wait', '--wait-timeout', '240');
}

export async function hardened(deployment: Deployment): Promise<string> {
  for (const name of SERVICES) {
    for (const id of await deployment.containers(name)) {
      const format = '{{.HostConfig.ReadonlyRootfs}} {{.State.Pid}}';
      const [readOnly, pid] = (await deployment.docker('inspect', '--format', format, id)).split(
        ' ',
      );
      expect(readOnly === 'true', `${name} can write its files`);
      const status = await readFile(`/proc/${pid}/status`, 'utf8');
      const of = (field: string) => new RegExp(`^${field}:\\s+(\\S+)`, 'm').exec(status)?.[1];
      expect(/^0+$/.test(of('CapEff') ?? ''), `${name} has the capabilities ${of('CapEff')}`);
      expect(of('NoNewPrivs') === '1', `${name} may gain privileges`);
      // Docker's init is of that user too.
      expect(of('Uid') !== '0', `${name} runs as root`);
    }
  }
  return 'read-only, no capability, no new privileges, not root';
}

export async function namedVolumes({ docker, compose }: Deployment): Promise<void> {
  const ids = (await compose('ps', '--all', '--quiet')).split('\n').filter(Boolean);
  const format = '{{range .Mounts}}{{if eq .Type "volume"}}{{.Name}} {{end}}{{end}}';
  const names = (await docker('inspect', '--format', format, ...ids)).split(/\s+/);
  const anonymous = names.filter((name) => /^[0-9a-f]{64}$/.test(name));
  expect(anonymous.length === 0, `${anonymous.length} have none`);
}

/** A caller on this host is seen as such, whatever it claims; a proxy that is trusted may say whom it speaks for. */
export async function addresses({ deployment, caller }: Tried): Promise<string> {
  const { gateway, ports } = deployment;
  const authority = '/var/lib/proxy/caddy/pki/authorities/local/root.crt';
  const ca = await deployment.compose('exec', '-T', 'proxy', 'cat', authority);
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const options = { host: 'localhost', port: ports.PROXY_HTTPS_PORT, path: '/health/ready', ca };
    request(options, (answer) => resolve(answer.resume().statusCode))
      .once('error', reject)
      .end();
  });
  expect(status === 200, `/health/ready through TLS is ${status}`);

  const seen = async (requestId: string) => {
    await caller.ask('GET', '/me', undefined, {
      'x-forwarded-for': '203.0.113.9',
      'x-request-id': requestId,
    });
    const giveUpAt = performance.now() + 10_000;
    for (;;) {
      const log = await deployment.compose('logs', '--no-color', '--no-log-prefix', 'api');
      const line = log.split('\n').find((each) => each.includes(`"request_id":"${requestId}"`));
      // Compose may clear the line first.
      if (line) return (JSON.parse(line.slice(line.indexOf('{'))) as { address: string }).address;
      if (performance.now() > giveUpAt) throw new Error('the request is not in the log');
      await sleep(200);
    }
  };
  const direct = await seen('claims');
  expect(direct === gateway, `a caller on this host is seen as ${direct}, not ${gateway}`);
  await deployment.set('TRUSTED_PROXIES', gateway);
  await up(deployment);
  const behind = await seen('speaks-for');
  expect(behind === '203.0.113.9', `a caller behind a proxy on this host is seen as ${behind}`);
  await deployment.set('TRUSTED_PROXIES', '');
  await up(deployment);
  return `a proxy on this host has the address ${gateway}`;
}

export async function connections({ deployment, caller }: Tried): Promise<string> {
  const sent = await Promise.all(Array.from({ length: 48 }, (_, n) => caller.send(1 + (n % 3))));
  const question = "select count(*) from pg_stat_activity where usename = 'temporal'";
  const used = await psql(deployment, 'postgres', question);
  for (const id of sent) await caller.endOf(id, ['uploaded', 'partly_uploaded', 'superseded']);
  const most = Math.max(Number(used), Number(await psql(deployment, 'postgres', question)));
  expect(most <= TEMPORAL_CONNECTIONS, `${most} connections`);
  return `${most} of ${TEMPORAL_CONNECTIONS}`;
}

export async function psql(
  { shell }: Deployment,
  database: string,
  statement: string,
): Promise<string> {
  const psqlIn = [
    'compose',
    'exec',
    '-T',
    'postgres',
    'psql',
    '--username',
    'postgres',
    '--tuples-only',
    '--no-align',
  ];
  return shell('docker', [...psqlIn, '--set=ON_ERROR_STOP=1', database], { input: statement });
}

/** Its first process, from outside, as the kernel does when memory runs out. */
export async function kill(deployment: Deployment, name: string): Promise<void> {
  const [id = ''] = await deployment.containers(name);
  const pid = async () =>
    Number(await deployment.docker('inspect', '--format', '{{.State.Pid}}', id));
  const before = await pid();
  process.kill(before, 'SIGKILL');
  const giveUpAt = performance.now() + 60_000;
  for (;;) {
    const now = await pid();
    if (now !== 0 && now !== before) return;
    expect(performance.now() < giveUpAt, `${name} does not come back`);
    await sleep(200);
  }
}

export async function replicas({ deployment, caller }: Tried): Promise<void> {
  await deployment.set('API_REPLICAS', '2');
  await deployment.set('WORKER_REPLICAS', '2');
  // The second time must not forget it.
  for (let time = 0; time < 2; time += 1) {
    await up(deployment);
    for (const name of ['api', 'worker']) {
      const count = (await deployment.containers(name)).length;
      expect(count === 2, `${count} of ${name}`);
    }
  }
  await caller.upload();
}

/** With the port of the proxy taken. */
export async function halfway({ deployment, caller }: Tried): Promise<void> {
  await deployment.compose('down');
  const taken = createServer();
  await new Promise<void>((resolve) =>
    taken.listen(deployment.ports.PROXY_HTTP_PORT, '127.0.0.1', resolve),
  );
  const { status } = await deployment.tryCompose('up', '-d');
  taken.close();
  expect(status !== 0, '`up` went well although a port was taken');
  for (const name of ['api', 'worker']) {
    const count = (await deployment.containers(name)).length;
    expect(count === 2, `${count} of ${name} are left running`);
  }
  await up(deployment);
  await caller.upload();
}

/** As docs/deployment.md says: a dump of the one database, put into a Postgres that has nothing. */
export async function restore({ deployment, caller }: Tried): Promise<void> {
  const { shell, compose } = deployment;
  const id = await caller.send(1);
  await caller.endOf(id, ['uploaded', 'partly_uploaded']);
  const dump =
    'docker compose exec -T postgres pg_dump --username postgres --format custom pos > pos.dump';
  await shell('sh', ['-euc', dump]);
  await compose('down');
  await deployment.docker('volume', 'rm', 'pos-integrations-tried_postgres');
  await compose('up', '-d', 'roles');
  await shell('sh', [
    '-euc',
    `until docker compose exec -T postgres psql --username postgres --command 'select 1' pos >/dev/null 2>&1; do sleep 0.5; done
     docker compose exec -T postgres pg_restore --username postgres --dbname pos < pos.dump`,
  ]);
  await psql(
    deployment,
    'pos',
    "select setval('webhook_sequence', nextval('webhook_sequence') + 1000000)",
  );
  await up(deployment);
  await caller.endOf(id, ['uploaded', 'partly_uploaded']);
  await caller.upload();
}

export async function stopped({ compose, docker, containers }: Deployment): Promise<void> {
  const ids = [...(await containers('api')), ...(await containers('worker'))];
  await compose('stop', 'api', 'worker');
  const codes = await docker('inspect', '--format', '{{.State.ExitCode}}', ...ids);
  expect(/^[0\s]+$/.test(codes), `they ended with ${codes.replaceAll('\n', ', ')}`);
}
