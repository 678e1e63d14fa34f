import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { createStore } from '../src/admin/stores';
import { createToken, createUser } from '../src/admin/users';
import { sizedMenu } from '../test/support/sized-menu';
import { type Deployment, startDeployment } from './rig/deployment';
import { atRate } from './rig/pace';
import { quantile } from './rig/quantile';
import { toWholeNumber } from './rig/settings';

/**
 * What one user, or stranger, costs another who does the worst with what callers share: `npx tsx bench/shares.ts
 * --seconds 20 --attack silent-bodies`. Another user writes, reads and uploads a menu of 560 KB, alone and beside each
 * attack. Exits with 1 if that user gets a 503, or if a p99 is over three times what it is alone and over that plus one
 * task of the attacker and 60 ms.
 */
const NOTHING_MS = 60;
const RATE = 10;
const MEGABYTE = 1_048_576;

interface Party {
  readonly token: string;
  readonly storeId: number;
  readonly address: string;
}

interface Scene {
  readonly deployment: Deployment;
  readonly attacker: Party;
  readonly other: Party;
}

/** An attack under way. */
interface Attack {
  /** How long one of its tasks takes alone, ms; 0: it has none, it only holds what others want. */
  readonly taskMs: number;
  stop(): Promise<void>;
}

const WORKS = ['write', 'read', 'large menu'] as const;
type Work = (typeof WORKS)[number];

interface Seen {
  readonly ms: Record<Work, number[]>;
  busy: number;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seconds: { type: 'string', default: '20' },
      attack: { type: 'string', default: '' },
    },
  });
  const seconds = toWholeNumber('--seconds', values.seconds, 600);
  const deployment = await startDeployment({ env: { TRUSTED_PROXIES: '127.0.0.1/32' } });
  try {
    const scene = {
      deployment,
      attacker: await makeParty(deployment, '192.0.2.1'),
      other: await makeParty(deployment, '198.51.100.1'),
    };
    console.log(deployment.setting.join('\n'));
    console.log(`${seconds} s each; ${RATE} requests of each kind a second from the other user`);
    await watch(scene, 3);
    for (const [name, begin] of Object.entries(ATTACKS)) {
      if (name.startsWith(values.attack)) await measure(scene, name, begin, seconds);
    }
  } finally {
    await deployment.stop();
  }
}

async function makeParty(deployment: Deployment, address: string): Promise<Party> {
  const { user_id: userId } = await createUser(deployment, {
    name: address,
    permissions: ['inventory:create'],
  });
  const { token } = await createToken(deployment, { userId, expiresInSeconds: null });
  const store = { name: address, country: 'MX', userId };
  const { store_id: storeId } = await createStore(deployment, store);
  return { token, storeId, address };
}

async function measure(
  scene: Scene,
  name: string,
  begin: (scene: Scene) => Promise<Attack>,
  seconds: number,
): Promise<void> {
  const alone = await watch(scene, seconds);
  const attack = await begin(scene);
  const beside = await watch(scene, seconds);
  await attack.stop();
  await sleep(2_000);
  const rows = WORKS.map((work) => {
    const [before, after] = [p99(alone.ms[work]), p99(beside.ms[work])];
    const most = Math.max(3 * before, before + attack.taskMs + NOTHING_MS);
    if (after > most) process.exitCode = 1;
    return {
      work,
      'p99 alone, ms': before.toFixed(1),
      'beside it, ms': after.toFixed(1),
      'may be': most.toFixed(0),
    };
  });
  if (beside.busy > 0) process.exitCode = 1;
  console.log(
    `${name}: a task of ${attack.taskMs.toFixed(0)} ms; 503 to the other: ${beside.busy}`,
  );
  console.table(rows);
}

function p99(times: readonly number[]): number {
  return quantile(
    times.toSorted((a, b) => a - b),
    0.99,
  );
}

const MENU = JSON.stringify({ integration_id: '1', ...sizedMenu(1_300, 1) });

/** What the other user sees in this time. */
async function watch({ deployment, other }: Scene, seconds: number): Promise<Seen> {
  const seen: Seen = { ms: { write: [], read: [], 'large menu': [] }, busy: 0 };
  const note = async (work: Work, answer: Promise<number>) => {
    const startedAt = performance.now();
    if ((await answer) === 503) seen.busy += 1;
    seen.ms[work].push(performance.now() - startedAt);
  };
  const menu = `{"store_id":${other.storeId},${MENU.slice(1)}`;
  await atRate(RATE, seconds, (nth) =>
    Promise.all([
      note(
        'write',
        call(deployment, other, 'PATCH', `/store/${other.storeId}`, `{"direction":"${nth}"}`),
      ),
      note('read', call(deployment, other, 'GET', '/menus/uploads?limit=1')),
      ...(nth % RATE === 0
        ? [note('large menu', call(deployment, other, 'POST', '/menus/upload', menu))]
        : []),
    ]),
  );
  return seen;
}

async function call(
  { api }: Deployment,
  { token, address }: Party,
  method: 'GET' | 'POST' | 'PATCH',
  path: string,
  body?: string | Buffer,
): Promise<number> {
  const answer = await api.request({
    method,
    path: `/api/v1${path}`,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'x-forwarded-for': address,
      ...(Buffer.isBuffer(body) ? { 'content-encoding': 'gzip' } : {}),
    },
    ...(body === undefined ? {} : { body }),
  });
  await answer.body.dump();
  return answer.statusCode;
}

/** So many callers, each sending one request after the other. */
async function inALoop(callers: number, send: () => Promise<number>): Promise<Attack> {
  const startedAt = performance.now();
  await send();
  const taskMs = performance.now() - startedAt;
  const stopping = new AbortController();
  const loop = async () => {
    while (!stopping.signal.aborted) if ((await send()) === 503) await sleep(100);
  };
  const loops = Array.from({ length: callers }, loop);
  return {
    taskMs,
    async stop() {
      stopping.abort();
      await Promise.all(loops);
    },
  };
}

/** So many connections whose body stops in the middle; each that is closed is opened again, a little later. */
async function silent(
  { deployment }: Scene,
  connections: number,
  head: string,
  sizes: { readonly declared: number; readonly sent: number },
): Promise<Attack> {
  const { hostname, port } = new URL(deployment.origin);
  const sockets = new Set<Socket>();
  const stopping = new AbortController();
  const open = async () => {
    while (!stopping.signal.aborted) {
      const socket = connect({ host: hostname, port: Number(port) });
      sockets.add(socket.on('error', () => {}).resume());
      socket.write(`${head}Host: x\r\nContent-Length: ${sizes.declared}\r\n\r\n`);
      socket.write(Buffer.alloc(sizes.sent, 0x20));
      await once(socket, 'close');
      sockets.delete(socket);
      await sleep(2_000);
    }
  };
  const all = Array.from({ length: connections }, open);
  const isSending = () => [...sockets].some(({ writableLength }) => writableLength > 0);
  do await sleep(1_000);
  while (isSending());
  return {
    taskMs: 0,
    async stop() {
      stopping.abort();
      for (const socket of sockets) socket.destroy();
      await Promise.all(all);
    },
  };
}

/** 480,000 values in 10 MB, in a few KB of gzip. */
function manyValues(): Buffer {
  const text = `{"store_id":1,"integration_id":"1","menus":[${'0,'.repeat(480_000)}0],"categories":[],"items":[],"modifier_groups":[]`;
  return gzipSync(`${text}${' '.repeat(10 * MEGABYTE - text.length - 1)}}`);
}

function refusedRollout(): string {
  const targets = Array.from({ length: 1_000 }, (_, n) => ({
    store_id: 900_000 + n,
    integration_id: '1',
  }));
  return JSON.stringify({ targets, ...sizedMenu(20, 1) });
}

const ATTACKS: Readonly<Record<string, (scene: Scene) => Promise<Attack>>> = {
  'silent-bodies': (scene) => {
    const { token, address } = scene.attacker;
    const head =
      `POST /api/v1/menus/upload HTTP/1.1\r\nAuthorization: Bearer ${token}\r\n` +
      `Content-Type: application/json\r\nX-Forwarded-For: ${address}\r\n`;
    return silent(scene, 32, head, { declared: 10 * MEGABYTE, sent: 4_200_000 });
  },
  'silent-callbacks': (scene) => {
    const head =
      `POST /callbacks/app-c/3 HTTP/1.1\r\ndidi-header-sign: ${'0'.repeat(32)}\r\n` +
      `X-Forwarded-For: ${scene.attacker.address}\r\n`;
    return silent(scene, 16, head, { declared: MEGABYTE, sent: 524_388 });
  },
  'many-values': ({ deployment, attacker }) => {
    const body = manyValues();
    return inALoop(40, () => call(deployment, attacker, 'POST', '/menus/upload', body));
  },
  rollouts: ({ deployment, attacker }) => {
    const body = refusedRollout();
    return inALoop(24, () => call(deployment, attacker, 'POST', '/menus/rollouts', body));
  },
  lists: ({ deployment, attacker }) => {
    const path = '/webhooks/deliveries?state=exhausted&limit=100';
    return inALoop(40, () => call(deployment, attacker, 'GET', path));
  },
};

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exitCode = 1;
});
