import { setTimeout as sleep } from 'node:timers/promises';
import type { FaultOutcome, FaultScenario } from './fault-outcomes';
import type { Shop, SimulatedAppName } from './shop';
import type { SharedSystem } from './system';
import { until } from './until';

/** An old menu is live, then the app fails, and a new one is uploaded. */
export async function runFaultScenario(
  system: SharedSystem,
  app: SimulatedAppName,
  { faults, callbacks = false, dayPasses = false }: FaultScenario,
): Promise<FaultOutcome> {
  const shop = await system.openShop(app, { callbacks });
  const before = await shop.upload('old');
  // All shops begin at once: a Temporal that is slow to answer then makes this a 202.
  const { state: liveState } = await shop.ended(before.uploadId);
  const pushesBefore = (await shop.requests('upload')).length;
  if (liveState !== 'uploaded') throw new Error(`the old menu: ${JSON.stringify(before.body)}`);
  for (const fault of faults) await shop.fault(fault);

  const answered = shop.upload('new');
  if (dayPasses) {
    await until(async () => (await shop.requests('upload')).length !== pushesBefore);
    await letDayPass(system, shop);
  }
  const { uploadId, status: answer, body } = await answered;
  const { state } = await shop.ended(uploadId);
  const shown = (await shop.shown()) === 'new' ? 'new' : 'old';
  const pushes = (await shop.requests('upload')).length - pushesBefore;
  const outcome = { answer, state, shown, pushes } as const;
  return Array.isArray(body.message) ? { ...outcome, messages: body.message } : outcome;
}

async function letDayPass({ sql }: SharedSystem, { storeId }: Shop): Promise<void> {
  // Half a second later once more: a push is seen at the app before its row says that there was one.
  for (const pauseMs of [0, 500]) {
    await sleep(pauseMs);
    await sql`
      update menu_upload set created_at = created_at - interval '1 day',
        pushed_at = pushed_at - interval '1 day'
      where store_id = ${storeId}::bigint and state = 'running'`;
  }
}
