import { changeUserState } from '../../../src/admin/users';
import { PERMISSIONS } from '../../../src/users/sql/users';
import { ROUTES } from '../../../src/run/routes';
import { startWorld, type World } from '../../api-contract/world';
import { fuzzRequest, type FuzzMaterial } from './fuzz-request';
import { judgeReply } from './judge-reply';
import { createRandom } from './random';
import { createWireClient } from './wire-client';

export interface FuzzReport {
  readonly cases: number;
  /** How many of each status there were. */
  readonly statuses: Readonly<Record<string, number>>;
  /** The errors, with their requests; at most 20. */
  readonly complaints: readonly string[];
  /** Of the process, which is that of the service and of the callers, MB. */
  readonly largestRss: number;
  readonly seconds: number;
  /** Bytes of bodies that are still held when all is over. */
  readonly bytesHeld: number;
}

const CALLERS = 16;
const PATIENCE_MS = 15_000;

/**
 * Sends `cases` requests made from the declarations of the routes, the same for the same `seed`, over real
 * connections to a service with its own database.
 */
export async function runFuzz(options: { cases: number; seed: number }): Promise<FuzzReport> {
  const world = await startWorld(
    { ACK_WAIT: '0s', UPLOAD_WAIT: '0s', RATE_LIMIT_PER_SECOND: '1000000' },
    // Names of made-up URLs are not asked for anywhere.
    { lookup: () => Promise.reject(new Error('no name is looked up here')) },
  );
  try {
    return await fuzz(world, await material(world), options);
  } finally {
    await world.stop();
  }
}

async function material(world: World): Promise<FuzzMaterial> {
  const { api, owner, ids } = world;
  const users = {
    operator: await api.user(...PERMISSIONS),
    stranger: await api.user('inventory:create', 'pos:events'),
    powerless: await api.user(),
    deactivated: await api.user(...PERMISSIONS),
    deleted: await api.user(...PERMISSIONS),
  };
  await changeUserState(api, users.deactivated.userId, 'deactivated');
  await changeUserState(api, users.deleted.userId, 'deleted');
  const owners = Array.from({ length: 15 }, () => owner.token);
  return {
    ids,
    tokens: [...owners, ...Object.values(users).map(({ token }) => token)],
    callback: { integrationId: await world.addIntegration('app-c'), secret: 'secret' },
  };
}

async function fuzz(
  world: World,
  given: FuzzMaterial,
  { cases, seed }: { cases: number; seed: number },
): Promise<FuzzReport> {
  const startedAt = performance.now();
  const statuses: Record<string, number> = {};
  const complaints: string[] = [];
  let next = 0;
  let largestRss = 0;

  async function call(): Promise<void> {
    const client = createWireClient(world.api.url);
    for (let number = next++; number < cases && complaints.length < 20; number = next++) {
      // Each has its own numbers: whatever the order of answers, case n is the same request.
      const random = createRandom(seed * 1_000_003 + number);
      const request = fuzzRequest(random, random.pick(ROUTES), given);
      try {
        const reply = await client.send(request.bytes, request.method === 'HEAD', PATIENCE_MS);
        statuses[reply.status] = (statuses[reply.status] ?? 0) + 1;
        const wrong = judgeReply(request, reply);
        if (wrong !== undefined) {
          complaints.push(
            describe(
              number,
              request.bytes,
              `${reply.status} ${reply.text.slice(0, 300)}: ${wrong}`,
            ),
          );
        }
      } catch (error) {
        complaints.push(describe(number, request.bytes, String(error)));
      }
      if (number % 100 === 0) largestRss = Math.max(largestRss, process.memoryUsage().rss);
    }
    client.close();
  }

  await Promise.all(Array.from({ length: CALLERS }, call));
  const metrics = await (await fetch(`${world.api.url}/metrics`)).text();
  return {
    cases: Math.min(next, cases),
    statuses,
    complaints,
    largestRss: Math.round(largestRss / 1_048_576),
    seconds: (performance.now() - startedAt) / 1000,
    bytesHeld: Number(/^bound_used\{bound="body_memory"\} (\d+)$/m.exec(metrics)?.[1]),
  };
}

function describe(number: number, bytes: Buffer, what: string): string {
  return `case ${number}: ${what}\n${bytes.toString('utf8').slice(0, 1_500)}`;
}
