import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils';
import { loadConfig } from '../src/config';
import {
  menuPublicationId,
  SWEEP,
  TAKE_OVER_SIGNAL,
  webhookLineId,
} from '../src/domain/workflow-names';
import { createTemporalClient } from '../src/temporal/connection';
import { HISTORIES_FOLDER } from '../test/replay/histories';
import globalSetup from '../test/support/global-setup';
import type { Shop } from '../test/support/shop';
import { startSystem, stopSystems, type System } from '../test/support/system';
import { prepareWebhookSystem } from '../test/support/webhook-system';

/**
 * Lets the service live through what a workflow can meet and keeps the histories: `tsx dev/record-histories.ts`.
 * Recorded anew when a workflow changes on purpose in a way that breaks runs under way; such a change needs `patched`,
 * and the histories of the release before stay here until no run of it is left.
 */
async function main(): Promise<void> {
  mkdirSync(HISTORIES_FOLDER, { recursive: true });
  await globalSetup();
  try {
    const system = await startSystem({
      env: { APP_D: 'rappi' },
      timing: { slowRetryMs: [1_500], approvalFirstMs: 2_500, approvalEveryMs: 1_000 },
    });
    const temporal = createTemporalClient(loadConfig(system.env));
    await recordMenus(system, temporal);
    await recordSweep(temporal);
    await temporal.connection.close();
    await recordWebhooks();
    execFileSync(process.execPath, [
      join(__dirname, '../node_modules/oxfmt/bin/oxfmt'),
      HISTORIES_FOLDER,
    ]);
  } finally {
    await stopSystems();
    await globalThis.stopTestServers?.();
  }
}

async function recordMenus(system: System, temporal: Client): Promise<void> {
  const keepRun = (name: string, shop: Shop) =>
    keep(temporal, name, menuPublicationId(shop.storeId, shop.integrationId));

  const plain = await system.openShop('app-b');
  await plain.upload(1);
  await keepRun('menu-published', plain);

  const expired = await system.openShop('app-a');
  await expired.fault({ kind: 'token_expired' });
  await expired.upload(1);
  await keepRun('menu-published-with-a-fresh-token', expired);

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

async function recordSweep(temporal: Client): Promise<void> {
  for (;;) {
    for await (const run of temporal.workflow.list({ query: `WorkflowType = '${SWEEP}'` })) {
      if (run.status.name === 'COMPLETED') return keep(temporal, 'sweep', run.workflowId);
    }
    await sleep(500);
  }
}

async function recordWebhooks(): Promise<void> {
  const webhooks = await prepareWebhookSystem();
  const { rows, receiver, system } = webhooks;
  await system.startWorker();
  receiver.answer('/later', (response, _, nth) => response.writeHead(nth === 1 ? 500 : 204).end());
  const subscription = await rows.subscribe({ url: `${receiver.url}/later` });
  await rows.put(subscription, 2);
  await webhooks.nudge(subscription);
  const line = webhooks.workflow(subscription);
  await line.result();
  const temporal = createTemporalClient(loadConfig(system.env));
  const lineId = webhookLineId(subscription.line);
  await keep(temporal, 'webhooks-delivered-one-after-a-retry', lineId);

  await rows.put(subscription);
  await webhooks.nudge(subscription);
  // No epoch is as high: the drain counts as dead, and the next one waits until it has ended.
  await line.signal(TAKE_OVER_SIGNAL, Number.MAX_SAFE_INTEGER);
  await keep(temporal, 'webhooks-taken-over', lineId);
  await temporal.connection.close();
  await webhooks.stop();
}

/** Waits for the end of the newest run and writes its history. */
async function keep(temporal: Client, name: string, workflowId: string): Promise<void> {
  const run = temporal.workflow.getHandle(workflowId);
  await run.result();
  // Who recorded it is nobody's business: `pid@host` goes, in identities and in the names of sticky queues.
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
