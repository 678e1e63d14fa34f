import { continueAsNew, proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { WebhookActivities } from '../activities/webhook-activities';
import { describeReport, type LineReport } from '../src/domain/line-report';
import { entityLoop, type Turn } from './entity-loop';

const { drainLine } = proxyActivities<WebhookActivities>({
  // A drain ends by itself after ten minutes, at the first moment with nothing out; a line that never has one goes on.
  startToCloseTimeout: '24h',
  // What a crash costs: so long the deliveries of its lines wait for another worker.
  heartbeatTimeout: '3s',
  // Exceptions are what a retry can cure (Postgres is away): retried without end.
  retry: { initialInterval: '200ms', backoffCoefficient: 2, maximumInterval: '10s' },
});

/** Delivers the webhooks of the subscriptions that stand in one line, for as long as there are any. */
export async function webhookLine(line: number): Promise<void> {
  await entityLoop({
    turn: async () => {
      setCurrentDetails(
        'At work: delivers what is due, and reports when nothing has come for a while.',
      );
      const report = await drainLine(line);
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
