import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils';
import { loadConfig } from '../../src/platform/config/config';
import {
  driftCheckId,
  menuPublicationId,
  menuRolloutId,
  storeAvailabilityId,
  SWEEP_ID,
  WAKE_SIGNAL,
  webhookShardId,
} from '../../src/platform/temporal/workflow-names';
import { createTemporalClient } from '../../src/platform/temporal/connection';
import { HISTORIES_FOLDER } from '../../test/replay/histories';
import { createCaller } from '../../test/support/api';
import { availabilityOf } from '../../test/support/availability-calls';
import globalSetup from '../../test/support/global-setup';
import { startRollout } from '../../test/support/rollouts';
import type { Shop } from '../../test/support/shop';
import { prepareSystem, startSystem, stopSystems, type System } from '../../test/support/system';
import { prepareWebhookSystem } from '../../test/support/webhook-system';

/**
 * Runs the service through every situation that a workflow can meet and stores the histories: `tsx
 * dev/checks/record-histories.ts`, or only some: `tsx dev/checks/record-histories.ts rollouts checks`. Record again when a workflow
 * changes on purpose in a way that breaks running runs. From release 1.0.0 on such a change needs `patched`, and the
 * histories of the previous release stay here until no run of it is left.
 */
const RECORDERS = {
  menus: () => onOneSystem(recordMenus),
  rollouts: () => onOneSystem(recordRollouts),
  checks: () => onOneSystem(recordChecks),
  availability: () => onOneSystem(recordAvailability),
  sweep: recordSweep,
  webhooks: recordWebhooks,
} as const;

async function main(): Promise<void> {
  const wanted = process.argv.slice(2);
  const unknown = wanted.find((name) => !Object.keys(RECORDERS).includes(name));
  if (unknown !== undefined)
    throw new Error(`${unknown} is none of ${Object.keys(RECORDERS).join(', ')}`);
  mkdirSync(HISTORIES_FOLDER, { recursive: true });
  await globalSetup();
  try {
    for (const [name, record] of Object.entries(RECORDERS)) {
      if (wanted.length === 0 || wanted.includes(name)) await record();
    }
    execFileSync(process.execPath, [
      join(__dirname, '../../node_modules/oxfmt/bin/oxfmt'),
      HISTORIES_FOLDER,
    ]);
  } finally {
    await stopSystems();
    await globalThis.stopTestServers?.();
  }
}

async function onOneSystem(
  record: (system: System, temporal: Client) => Promise<void>,
): Promise<void> {
  const system = await startSystem({
    env: { APP_D: 'rappi' },
    timing: { slowRetryMs: [1_500], approvalFirstMs: 2_500, approvalEveryMs: 1_000 },
  });
  const temporal = createTemporalClient(loadConfig(system.env));
  await record(system, temporal);
  await temporal.connection.close();
  await system.stop();
}

async function recordMenus(system: System, temporal: Client): Promise<void> {
  const keepRun = (name: string, shop: Shop) =>
    keep(temporal, name, menuPublicationId(shop.storeId, shop.integrationId));

  const plain = await system.openShop('app-b');
  await plain.upload(1);
  await keepRun('menu-published-with-a-fresh-token', plain);
  await plain.upload(2);
  await keepRun('menu-published', plain);
  await plain.fault({ kind: 'slow', ms: 1_500 });
  await plain.upload(3);
  await keepRun('menu-published-slowly', plain);

  const task = await system.openShop('app-c', { callbacks: true });
  await task.fault({ kind: 'task_wait_retry', times: 2 });
  await task.upload(1);
  await keepRun('menu-published-by-a-task', task);

  const approved = await system.openShop('app-d');
  await approved.fault({ kind: 'status', route: 'poll' });
  await approved.upload(1);
  await keepRun('menu-published-once-approved', approved);

  const refused = await system.openShop('app-b');
  await refused.fault({ kind: 'status', status: 400 });
  await refused.upload(1);
  await keepRun('menu-refused', refused);

  const later = await system.openShop('app-b');
  await later.fault({ kind: 'status', status: 503, times: 4 });
  await later.upload(1);
  await keepRun('menu-published-in-the-second-round', later);

  const replaced = await system.openShop('app-b');
  await replaced.fault({ kind: 'status', status: 503, times: 3 });
  const first = replaced.upload(1);
  while ((await replaced.requests('upload')).length < 3) await sleep(50);
  await sleep(300); // it waits between two rounds now
  await Promise.all([first, replaced.upload(2)]);
  await keepRun('menu-replaced-while-it-waits', replaced);
}

/** One that waits for an app that is away, and the revert. */
async function recordRollouts(system: System, temporal: Client): Promise<void> {
  const caller = createCaller(system.apiUrl(), '', system.token);
  const [shop, away] = [await system.openShop('app-b'), await system.openShop('app-b')];
  await Promise.all([shop.upload(1), away.upload(1)]);
  // Long enough to be checked in two passes.
  await away.fault({ kind: 'status', status: 503, times: 18 });
  const places = [shop, away].map(({ storeId, integrationId }) => ({
    store_id: storeId,
    integration_id: integrationId,
  }));
  const rolloutId = await startRollout(caller, 2, places);
  await keep(temporal, 'rollout-done', menuRolloutId(rolloutId));
  await caller.post(`/menus/rollouts/${rolloutId}/revert`, {});
  await keep(temporal, 'rollout-reverted', menuRolloutId(rolloutId));
}

async function recordChecks(system: System, temporal: Client): Promise<void> {
  const caller = createCaller(system.apiUrl(), '', system.token);
  const shop = await system.openShop('app-a');
  await shop.upload(1);
  await shop.showInstead(null);
  const { storeId, integrationId } = shop;
  await caller.post('/menus/live/check', { store_id: storeId, integration_id: integrationId });
  await keep(temporal, 'menu-checked', driftCheckId(storeId, integrationId));
}

const soon = (): string => new Date(Date.now() + 2_000).toISOString();

async function recordAvailability(system: System, temporal: Client): Promise<void> {
  const keepRun = (name: string, shop: Shop) =>
    keep(temporal, `availability-${name}`, storeAvailabilityId(shop.storeId, shop.integrationId));
  const open = async (app: 'app-b' | 'app-d') => {
    const shop = await system.openShop(app);
    await shop.upload(1);
    return { shop, calls: availabilityOf(system, shop) };
  };
  const off = { external_id: 'I1', available: false };

  const plain = await open('app-b');
  await plain.calls.switch([off]);
  await keepRun('switched', plain.shop);

  const ending = await open('app-b');
  await ending.calls.switch([{ ...off, until: soon() }]);
  await keepRun('ended-by-its-time', ending.shop);

  const paused = await open('app-b');
  await paused.calls.pause({ until: soon() });
  await keepRun('of-a-paused-store', paused.shop);

  const later = await open('app-b');
  await later.shop.fault({ kind: 'status', status: 503, route: 'availability', times: 2 });
  await later.calls.switch([off]);
  await keepRun('in-the-second-try', later.shop);

  const again = await open('app-d');
  await again.calls.switch([off]);
  await again.shop.upload(2);
  await keepRun('told-again-behind-a-menu', again.shop);
}

/** A run that continues: a stopping worker ends the hour of the sweep, and another one starts the next. */
async function recordSweep(): Promise<void> {
  const system = await prepareSystem();
  const temporal = createTemporalClient(loadConfig(system.env));
  const run = temporal.workflow.getHandle(SWEEP_ID);
  const untilHours = async (count: number) => {
    for (;;) {
      const { events } = await run.fetchHistory();
      const begun = events?.filter((event) => event.activityTaskScheduledEventAttributes) ?? [];
      if (begun.length === count) return;
      await sleep(200);
    }
  };
  const first = await system.startWorker();
  await untilHours(1);
  await sleep(500); // until it has begun
  await first.stop();
  await system.startWorker();
  await untilHours(2);
  await write(temporal, 'sweep', SWEEP_ID);
  await temporal.connection.close();
  await system.stop();
}

/** One that comes after its retry, and one whose receiver is paused meanwhile. */
async function recordWebhooks(): Promise<void> {
  const webhooks = await prepareWebhookSystem({ env: { WEBHOOK_RETRY_SCHEDULE: '10s,10s' } });
  const { rows, receiver, system } = webhooks;
  const temporal = createTemporalClient(loadConfig(system.env));
  await system.startWorker();
  const recordRun = async (name: string, failures: number, count: number) => {
    const path = `/${name}`;
    receiver.answer(path, (response, _, nth) =>
      response.writeHead(nth <= failures ? 500 : 204).end(),
    );
    const subscription = await rows.subscribe({ url: receiver.url + path, maxInFlight: 1 });
    await rows.put(subscription, count);
    await webhooks.announce(subscription);
    const run = webhooks.workflow(subscription);
    while ((await rows.countPending(subscription)) > 0) {
      await sleep(200);
      await system.sql`update subscription set paused_until = now() + interval '6 s'
        where paused_until > now() + interval '6 s'`;
    }
    await run.signal(WAKE_SIGNAL).catch(() => {}); // it may have ended
    await keep(temporal, name, webhookShardId(subscription.shard));
  };
  await recordRun('webhooks-after-a-retry', 1, 2);
  await recordRun('webhooks-after-a-pause', 10, 12);
  await temporal.connection.close();
  await webhooks.stop();
}

/** Waits for the end of the newest run and writes its history. */
async function keep(temporal: Client, name: string, workflowId: string): Promise<void> {
  await temporal.workflow.getHandle(workflowId).result();
  await write(temporal, name, workflowId);
}

async function write(temporal: Client, name: string, workflowId: string): Promise<void> {
  const run = temporal.workflow.getHandle(workflowId);
  // Removes `pid@host`, which names the recording machine, from identities and the names of sticky queues.
  const history: unknown = JSON.parse(historyToJSON(await run.fetchHistory()));
  const text = JSON.stringify(history, (_, value: unknown) =>
    typeof value === 'string' && /^\d+@/.test(value) ? 'recorder' : value,
  );
  writeFileSync(join(HISTORIES_FOLDER, `${name}.json`), text);
  console.log(`${name}: ${workflowId}`);
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
