import { setTimeout as sleep } from 'node:timers/promises';
import type { FaultOutcome, FaultScenario } from './fault-scenarios';
import type { Shop, SimulatedAppName } from './shop';
import type { System } from './system';

/** An old menu is live, then the app fails, and a new one is uploaded. */
export async function runFaultScenario(
  system: System,
  app: SimulatedAppName,
  { faults, callbacks = false, dayPasses = false }: FaultScenario,
): Promise<FaultOutcome> {
  const shop = await system.openShop(app, { callbacks });
  const before = await shop.upload('old');
  const pushesBefore = (await shop.requests('upload')).length;
  if (before.status !== 200) throw new Error(`the old menu: ${JSON.stringify(before.body)}`);
  for (const fault of faults) await shop.fault(fault);

  const answered = shop.upload('new');
  if (dayPasses) {
    while ((await shop.requests('upload')).length === pushesBefore) await sleep(50);
    await letDayPass(system, shop);
  }
  const { uploadId, status: answer, body } = await answered;
  const { state } = await shop.ended(uploadId, 60_000);
  const shown = (await shop.shown()) === 'new' ? 'new' : 'old';
  const pushes = (await shop.requests('upload')).length - pushesBefore;
  const outcome = { answer, state, shown, pushes } as const;
  return Array.isArray(body.message) ? { ...outcome, messages: body.message } : outcome;
}

async function letDayPass({ sql }: System, { storeId }: Shop): Promise<void> {
  // Half a second later once more: a push is seen at the app before its row says that there was one.
  for (const pauseMs of [0, 500]) {
    await sleep(pauseMs);
    await sql`
      update menu_upload set created_at = created_at - interval '1 day',
        pushed_at = pushed_at - interval '1 day'
      where store_id = ${storeId}::bigint and state = 'running'`;
  }
}
