import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { createAppA } from '../../dev/sandbox/app-a/app-a';
import { createAppB } from '../../dev/sandbox/app-b/app-b';
import { createAppC } from '../../dev/sandbox/app-c/app-c';
import { startSandbox } from '../../dev/sandbox/sandbox';
import { simulateApp } from '../../dev/sandbox/simulated-app';
import { seededRandom } from './chaos/seeded-random';

/*
 * The delivery apps and the receivers of webhooks in their own process, which no fault affects: its records are the
 * truth.
 */

/** The settings of the process, from its environment. */
export interface SimulatorsEnv {
  readonly CHAOS_SEED: string;
  readonly CHAOS_CLIENT_ID: string;
  readonly CHAOS_CLIENT_SECRET: string;
}

/** One webhook that came. */
export interface Arrival {
  /** Its path: the receiver that it was for. */
  readonly path: string;
  /** The `webhook-id`. */
  readonly messageId: string;
  /** Number of the event in its body. */
  readonly event: number;
  /** ms since the epoch. */
  readonly at: number;
}

export interface SimulatorsAddress {
  /** Origin of the apps: `/app-a`, `/app-b`, `/app-c` below it. */
  readonly appsUrl: string;
  readonly receiverUrl: string;
}

/** Of a hundred webhooks, this many are answered 503, and this many late. */
const FAILED_PERCENT = 3;
const SLOW_PERCENT = 3;

async function main(): Promise<void> {
  const client = {
    clientId: process.env['CHAOS_CLIENT_ID'] ?? '',
    clientSecret: process.env['CHAOS_CLIENT_SECRET'] ?? '',
  };
  const apps = await startSandbox({
    port: 0,
    parts: [
      simulateApp(createAppA(client)),
      simulateApp(createAppB(client)),
      simulateApp(createAppC({ ...client, stepMs: 100 })),
    ],
  });
  const arrivals: Arrival[] = [];
  const receiver = await startReceiver(arrivals);
  process.on('message', () => process.send?.(arrivals));
  const { port } = receiver.address() as AddressInfo;
  process.send?.({
    appsUrl: apps.url,
    receiverUrl: `http://127.0.0.1:${port}`,
  } satisfies SimulatorsAddress);
}

async function startReceiver(arrivals: Arrival[]): Promise<Server> {
  const random = seededRandom(Number(process.env['CHAOS_SEED']));
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      const messageId = String(request.headers['webhook-id']);
      const event = Number(/"event-(\d+)"/.exec(body)?.[1]);
      arrivals.push({ path: request.url ?? '', messageId, event, at: Date.now() });
      void answer();
    });

    async function answer(): Promise<void> {
      const dice = random.between(1, 100);
      if (dice <= SLOW_PERCENT) await delay(random.between(200, 1_500));
      const fails = dice > SLOW_PERCENT && dice <= SLOW_PERCENT + FAILED_PERCENT;
      response.writeHead(fails ? 503 : 204).end();
    }
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return server;
}

process.once('disconnect', () => process.exit());
void main();
