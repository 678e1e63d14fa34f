import { activityInfo, cancellationSignal } from '@temporalio/activity';
import { findPushElsewhere } from '../src/uploads/sql/pushes';
import type { AttemptKey } from '../src/uploads/sql/upload-attempts';
import { isFinal } from '../src/uploads/upload';
import { type PushNext, SLOW_PUSH, type StepReport } from '../src/uploads/upload-report';
import type { MenuActivityDeps } from './activity-deps';
import { pushUpload } from './upload-push';
import { wait } from './wait';
import { withHeartbeat } from './with-heartbeat';

/** Pause between two looks at a push of another process. */
const ELSEWHERE_MS = 500;

/** The integration in the id of the workflow, `menu/<store>/<integration>`: nothing is loaded yet. */
function integrationOfWorkflow(): string {
  return activityInfo().workflowExecution?.workflowId.split('/').at(-1) ?? '';
}

/** The two calls of the workflow for one push, which belongs to the process and not to a call. */
export function createPushActivities(deps: MenuActivityDeps) {
  const { sql, pushes } = deps;
  const pushOf = (key: AttemptKey) => (signal: AbortSignal) => pushUpload(deps, key, signal);
  return {
    /**
     * Pushes as a local activity, because a normal one costs Temporal as much as all the rest of an upload, and most apps
     * answer within a moment. A push that takes longer is `slow`: it goes on, and `pushMenu` waits for it.
     */
    async pushPromptly(key: AttemptKey): Promise<StepReport<PushNext> | typeof SLOW_PUSH> {
      const report = await pushes.reportPromptly(key, pushOf(key), integrationOfWorkflow());
      return report ?? SLOW_PUSH;
    },

    /**
     * Waits for the push that `pushPromptly` left, also in another process. If that process is dead, or pauses between
     * two tries, it takes the push over.
     */
    async pushMenu(key: AttemptKey): Promise<StepReport<PushNext>> {
      return withHeartbeat(async () => {
        const elsewhere = pushes.has(key) ? undefined : await reportFromElsewhere(key);
        cancellationSignal().throwIfAborted();
        return elsewhere ?? pushes.report(key, pushOf(key), cancellationSignal());
      });
    },
  };

  /** Waits while another process pushes, without a permit; undefined if the push is to be made here. */
  async function reportFromElsewhere(key: AttemptKey): Promise<StepReport<PushNext> | undefined> {
    for (;;) {
      const push = await findPushElsewhere(sql, key);
      if (push && isFinal(push.state)) {
        return { next: 'ended', state: push.state, summary: 'ended by another call', rests: false };
      }
      // What was planned or accepted there is what the next claim finds.
      if (!push?.isOpen) return { next: 'stale' };
      if (!push.isHeld) return undefined;
      await wait(ELSEWHERE_MS);
    }
  }
}
