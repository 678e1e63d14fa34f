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
import { entityLoop, type Turn } from './entity-loop';

const { drainLine } = proxyActivities<WebhookActivities>({
  // A drain ends by itself after ten minutes, at the first moment with nothing out; a line that never has one goes on.
  startToCloseTimeout: '24h',
  // A net below the take-over signal, which comes within seconds if any worker is left.
  heartbeatTimeout: '30s',
  // Exceptions are what a retry can cure (Postgres is away): retried without end.
  retry: { initialInterval: '200ms', backoffCoefficient: 2, maximumInterval: '10s' },
});

const SAME_DEATH_MS = 5_000;
const takeOver = defineSignal<[epoch: number]>(TAKE_OVER_SIGNAL);

/** Delivers the webhooks of the subscriptions that stand in one line, for as long as there are any. */
export async function webhookLine(line: number): Promise<void> {
  let [deadEpoch, replacedAt] = [0, 0];
  let isDead = false;
  setHandler(takeOver, (epoch) => {
    // Several workers may find the same drain dead; but its successor may never have begun.
    if (epoch <= deadEpoch && Date.now() - replacedAt < SAME_DEATH_MS) return;
    deadEpoch = Math.max(deadEpoch, epoch);
    replacedAt = Date.now();
    isDead = true;
  });

  /** Undefined: the drain is dead, and another one is to begin. Should it live after all, that one waits for its end. */
  async function drain(): Promise<LineReport | undefined> {
    isDead = false;
    return CancellationScope.cancellable(async () => {
      const draining = drainLine(line);
      const report = await Promise.race([draining, condition(() => isDead)]);
      if (report) return report;
      draining.catch(() => {}); // it is cancelled now, and nobody waits for it any more
      CancellationScope.current().cancel();
      return undefined;
    });
  }

  await entityLoop({
    turn: async () => {
      setCurrentDetails(
        'At work: delivers what is due, and reports when nothing has come for a while.',
      );
      const report = await drain();
      if (!report) return { kind: 'again' };
      setCurrentDetails(describeReport(report, Date.now()));
      return turnAfter(report);
    },
    continueAsNew: () => continueAsNew<typeof webhookLine>(line),
  });
}

function turnAfter({ next }: LineReport): Turn {
  switch (next.kind) {
    case 'again':
    case 'idle':
      return { kind: next.kind };
    // A paused subscription is due when its pause is over; its drain lets one delivery through then, as a probe.
    case 'due_later':
      return { kind: 'wait', ms: next.ms };
  }
}
