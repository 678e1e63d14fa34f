import {
  CancellationScope,
  condition,
  continueAsNew,
  defineSignal,
  proxyActivities,
  setCurrentDetails,
  setHandler,
} from '@temporalio/workflow';
import type { WebhookActivities } from '../activities/webhook-activities';
import { describeReport, type LineReport } from '../src/webhooks/lines/line-report';
import { TAKE_OVER_SIGNAL } from '../src/platform/temporal/workflow-names';
import { passLoop, type PassEnd, RETRY } from './pass-loop';

const { drainLine } = proxyActivities<WebhookActivities>({
  // A drain ends after ten minutes as soon as nothing is in flight; a line that always has something in flight
  // continues.
  startToCloseTimeout: '24h',
  // A safety net below the take-over signal, which comes within seconds if any worker is left. A drain without news
  // sends one every 50 s.
  heartbeatTimeout: '150s',
  // While Postgres is away each try lasts for ten seconds, see `drains.ts`.
  retry: { ...RETRY, maximumInterval: '1s' },
});

const SAME_DEATH_MS = 5_000;
const takeOver = defineSignal<[epoch: number]>(TAKE_OVER_SIGNAL);

/** Delivers the webhooks of the subscriptions in one line, as long as there are any. */
export async function webhookLine(line: number): Promise<void> {
  let [deadEpoch, replacedAt] = [0, 0];
  let isDead = false;
  setHandler(takeOver, (epoch) => {
    // Several workers may report the same dead drain; but if this was long ago, its successor may never have started.
    if (epoch <= deadEpoch && Date.now() - replacedAt < SAME_DEATH_MS) return;
    deadEpoch = Math.max(deadEpoch, epoch);
    replacedAt = Date.now();
    isDead = true;
  });

  /**
   * Undefined: the drain is dead, and another one must begin. If it is alive after all, that one waits for its end.
   */
  async function drain(): Promise<LineReport | undefined> {
    isDead = false;
    return CancellationScope.cancellable(async () => {
      const draining = drainLine(line);
      const report = await Promise.race([draining, condition(() => isDead)]);
      if (report) return report;
      draining.catch(() => {}); // it is cancelled now, and its result is ignored
      CancellationScope.current().cancel();
      return undefined;
    });
  }

  // Calls `pass` until it is idle.
  await passLoop({
    pass: async () => {
      setCurrentDetails(
        'Delivering what is due. Until there has been nothing to send for a while, the heartbeat details of `drainLine` say what waits.',
      );
      const report = await drain();
      if (!report) return { kind: 'again' };
      setCurrentDetails(describeReport(report, Date.now()));
      return passEndOf(report);
    },
    continueAsNew: () => continueAsNew<typeof webhookLine>(line),
  });
}

function passEndOf({ next }: LineReport): PassEnd {
  switch (next.kind) {
    case 'again':
    case 'idle':
      return { kind: next.kind };
    // A paused subscription is due when its pause is over; its drain then lets one delivery through as a probe.
    case 'due_later':
      return { kind: 'wait', ms: next.ms };
  }
}
