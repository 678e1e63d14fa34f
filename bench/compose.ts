import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { createAppB } from '../dev/sandbox/app-b/app-b';
import { startSandbox } from '../dev/sandbox/sandbox';
import { simulateApp } from '../dev/sandbox/simulated-app';
import { connect } from '../src/platform/db/client';
import { isOneShot, readComposeFile } from './rig/compose-file';
import { lastWords, type PlayedService, playOneShot, playService } from './rig/compose-player';
import { type Places, preparePlaces } from './rig/compose-places';
import { buildForProduction } from './rig/production-build';

/**
 * `npm run compose`: plays docker-compose.yml without containers. Each service is a process with the command, the
 * variables, the order, the health check, the restarts and the stop signal of the file; Temporal is its server of the same version on
 * that Postgres, built with Go once. Then each is killed and comes back, and a menu is uploaded after each. Prints a
 * table; exits with 1 when something of it does not hold, and leaves the logs.
 */
const PLAYED = ['postgres', 'temporal', 'api', 'worker'] as const;
const ONCE = ['roles', 'temporal-schema', 'migrate', 'setup'] as const;
const HEALTHY_WITHIN_MS = 120_000;
const UPLOADED_WITHIN_MS = 120_000;

const run = promisify(execFile);
const secrets = {
  POSTGRES_PASSWORD: randomBytes(12).toString('hex'),
  DATABASE_PASSWORD: randomBytes(12).toString('hex'),
  TEMPORAL_DATABASE_PASSWORD: randomBytes(12).toString('hex'),
  ENCRYPTION_KEY: randomBytes(32).toString('base64'),
};
const file = readComposeFile(secrets);
const services = new Map<string, PlayedService>();
const rows: string[] = [];

async function main(): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'pos-integrations-compose-'));
  await chmod(directory, 0o755); // as root, Postgres runs as a user who must get in
  const credential = { clientId: 'compose', clientSecret: randomBytes(8).toString('hex') };
  const sandbox = await startSandbox({ port: 0, parts: [simulateApp(createAppB(credential))] });
  try {
    await buildForProduction(directory);
    const places = await preparePlaces(directory, file, secrets.POSTGRES_PASSWORD, note);
    await timed('up', () => bringUp(places, directory));
    await timed('one-shots again', () => runOnce(places, directory));
    await expectPlainRole(places);
    const caller = await makeCaller(places, directory, `${sandbox.url}/app-b`, credential);
    await timed('first upload', () => upload(caller));
    for (const name of PLAYED) {
      await timed(`kill -9 ${name}, healthy again`, () => killAndWait(name));
      await timed(`upload after ${name}`, () => upload(caller));
    }
    for (const name of PLAYED.toReversed()) {
      note(`stop ${name}`, (await services.get(name)?.stop()) ?? 0);
    }
    await rm(directory, { recursive: true, force: true });
  } catch (error) {
    process.exitCode = 1;
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.stderr.write(`The logs are in ${directory}.\n`);
  } finally {
    for (const service of services.values()) await service.stop().catch(() => {});
    await sandbox.close();
  }
  process.stdout.write(`${rows.join('\n')}\n`);
}

function note(what: string, ms: number): void {
  rows.push(`${what.padEnd(34)} ${(ms / 1000).toFixed(1).padStart(6)} s`);
  process.stderr.write(`${rows.at(-1)}\n`);
}

async function timed(what: string, work: () => Promise<void>): Promise<void> {
  const startedAt = performance.now();
  await work();
  note(what, performance.now() - startedAt);
}

const serviceOf = (name: string) => {
  const service = file.services[name];
  if (!service) throw new Error(`docker-compose.yml has no service ${name}`);
  return service;
};

/** Starts what waits for nothing that is missing, until all of it runs. */
async function bringUp(places: Places, logs: string): Promise<void> {
  const done = new Set<string>();
  const wanted = new Set<string>([...PLAYED, ...ONCE]);
  while (wanted.size > 0) {
    const next = [...wanted].find((name) =>
      Object.keys(serviceOf(name).depends_on ?? {}).every((other) => done.has(other)),
    );
    if (next === undefined) throw new Error(`nothing can start: ${[...wanted].join(', ')}`);
    wanted.delete(next);
    const service = serviceOf(next);
    if (isOneShot(service)) await playOneShot(next, service, places.of(next), logs);
    else {
      services.set(next, playService(next, service, places.of(next), logs));
      await untilHealthy(next, logs);
    }
    done.add(next);
  }
}

async function runOnce(places: Places, logs: string): Promise<void> {
  for (const name of ONCE) await playOneShot(name, serviceOf(name), places.of(name), logs);
}

async function untilHealthy(name: string, logs: string): Promise<void> {
  const giveUpAt = performance.now() + HEALTHY_WITHIN_MS;
  while (!(await services.get(name)?.isHealthy())) {
    if (performance.now() > giveUpAt) {
      throw new Error(`${name} is not healthy:\n${lastWords(logs, name)}`);
    }
    await sleep(200);
  }
}

async function killAndWait(name: (typeof PLAYED)[number]): Promise<void> {
  const service = services.get(name);
  const before = service?.starts() ?? 0;
  service?.kill();
  const giveUpAt = performance.now() + HEALTHY_WITHIN_MS;
  while ((service?.starts() ?? 0) === before || !(await service?.isHealthy())) {
    if (performance.now() > giveUpAt) throw new Error(`${name} does not come back`);
    await sleep(200);
  }
}

/** The service's role may change its own tables and nothing else. */
async function expectPlainRole(places: Places): Promise<void> {
  const url = places.of('api').relocate(serviceOf('api').environment?.['DATABASE_URL'] ?? '');
  const sql = connect(url, { max: 1 });
  try {
    const [role] = await sql<{ isPlain: boolean; seesTemporal: boolean }[]>`
      select not (rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolbypassrls) as is_plain,
        has_database_privilege('temporal', 'connect') as sees_temporal
      from pg_roles where rolname = current_user`;
    if (!role?.isPlain || role.seesTemporal)
      throw new Error('the role of the service may too much');
  } finally {
    await sql.end();
  }
}

interface Caller {
  readonly url: string;
  readonly token: string;
  readonly storeId: number;
  readonly integrationId: string;
}

/** As an operator would: by the admin command, in a container of the API. */
async function makeCaller(
  places: Places,
  directory: string,
  baseUrl: string,
  credential: { readonly clientId: string; readonly clientSecret: string },
): Promise<Caller> {
  const { environment = {} } = serviceOf('api');
  const { relocate, path } = places.of('api');
  const env = Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [name, relocate(value)]),
  );
  const admin = async (command: string) => {
    const words = [join(directory, 'dist/src/bin/admin.js'), ...command.split(' ')];
    const { stdout } = await run(process.execPath, words, { env: { ...env, PATH: path } });
    return JSON.parse(stdout) as Record<string, string>;
  };
  const { user_id: user = '' } = await admin('user create --name Played');
  const { token = '' } = await admin(`token create --user ${user}`);
  const { store_id: store = '' } = await admin(
    `store create --name Played --country MX --user ${user}`,
  );
  const { clientId, clientSecret } = credential;
  const { integration_id: integrationId = '' } = await admin(
    `integration configure --app app-b --name B --base-url ${baseUrl} --client-id ${clientId} --client-secret ${clientSecret}`,
  );
  await admin(
    `store connect --store ${store} --integration ${integrationId} --delivery-id played --credential {}`,
  );
  return { url: places.apiUrl, token, storeId: Number(store), integrationId };
}

let version = 0;

/** Uploads a menu that differs from the one before, and waits until the app has it. */
async function upload({ url, token, storeId, integrationId }: Caller): Promise<void> {
  const menu = JSON.parse(
    await readFile(join(__dirname, '..', 'dev', 'demo', 'menu.json'), 'utf8'),
  ) as { menus: { name: string }[] };
  version += 1;
  const menus = menu.menus.map((each) => ({ ...each, name: `${each.name} ${version}` }));
  const body = JSON.stringify({ ...menu, menus, store_id: storeId, integration_id: integrationId });
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'idempotency-key': `menu-${version}`,
  };
  const giveUpAt = performance.now() + UPLOADED_WITHIN_MS;
  for (;;) {
    const answer = await fetch(`${url}/api/v1/menus/upload`, {
      method: 'POST',
      headers,
      body,
    }).catch(() => undefined);
    // 202: it continues in the background, and the same key requests its result.
    if (answer?.status === 200) return;
    const text = (await answer?.text()) ?? 'no answer';
    const id = answer?.headers.get('x-upload-id');
    if (id && (await isUploaded(`${url}/api/v1/menus/uploads/${id}`, token))) return;
    if (performance.now() > giveUpAt) throw new Error(`the menu is not uploaded: ${text}`);
    await sleep(500);
  }
}

async function isUploaded(url: string, token: string): Promise<boolean> {
  const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } }).catch(
    () => undefined,
  );
  const { data } = ((await answer?.json()) ?? {}) as { data?: { state: string } };
  return data?.state === 'uploaded' || data?.state === 'partly_uploaded';
}

void main();
