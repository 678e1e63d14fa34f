import { continueAsNew, proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { WebhookActivities } from '../activities/webhook-activities';
import { describeReport, type DrainReport } from '../src/domain/drain-report';
import { entityLoop, type Turn } from './entity-loop';

const { drain } = proxyActivities<WebhookActivities>({
  // A drain ends by itself after ten minutes or, without a gap in the traffic, fifteen.
  startToCloseTimeout: '20m',
  // What a crash costs: so long its deliveries wait for another worker.
  heartbeatTimeout: '10s',
  // Exceptions are what a retry can cure (Postgres away, a secret's key not deployed yet): retried without end.
  retry: { initialInterval: '200ms', backoffCoefficient: 2, maximumInterval: '10s' },
});

/** Delivers the webhooks of one subscription, for as long as there are any, and waits out its receiver's bad times. */
export async function webhookSubscription(subscriptionId: string): Promise<void> {
  await entityLoop({
    turn: async () => {
      setCurrentDetails(
        'At work: delivers what is due, and reports when nothing has come for a while.',
      );
      const report = await drain(subscriptionId);
      setCurrentDetails(describeReport(report, Date.now()));
      return turnAfter(report);
    },
    continueAsNew: () => continueAsNew<typeof webhookSubscription>(subscriptionId),
  });
}

function turnAfter({ next }: DrainReport): Turn {
  switch (next.kind) {
    case 'again':
      return { kind: 'again' };
    // Enabling starts the workflow again.
    case 'disabled':
    case 'idle':
      return { kind: 'idle' };
    // After a pause the drain lets one delivery through, as a probe: the row of the subscription says so.
    case 'paused':
    case 'due_later':
      return { kind: 'wait', ms: next.ms };
  }
}
