import { runInNewContext, Script } from 'node:vm';
import type { WorkflowHandle } from '@temporalio/client';
import { usePublicationRuns } from '../support/publication-runs';
import { until } from '../support/until';

/** The stack of the run's first exception that is no failure of an activity; undefined so far. */
async function stackOf(run: WorkflowHandle): Promise<string | undefined> {
  const { events } = await run.fetchHistory();
  const failed = events?.find((event) => event.workflowTaskFailedEventAttributes);
  return failed?.workflowTaskFailedEventAttributes?.failure?.stackTrace ?? undefined;
}

async function hasTimer(run: WorkflowHandle): Promise<boolean> {
  const { events } = await run.fetchHistory();
  return events?.some((event) => event.timerStartedEventAttributes) ?? false;
}

describe('a worker as it runs', () => {
  const { nudge } = usePublicationRuns();

  test('an exception in workflow code says where it was thrown', async () => {
    const { run } = await nudge({ claims: [async () => 5 as never] });
    await until(async () => (await stackOf(run)) !== undefined);
    expect(await stackOf(run)).toMatch(/^\s*at .*workflows\/menu-publication\.ts:\d+:\d+/m);
  });

  test('the stack of a promise that is waited for has three lines at most, each of which the SDK looks up in the source map', async () => {
    const { run } = await nudge({ claims: [{ kind: 'wait', ms: 60_000, summary: 'waits' }] });
    await until(() => hasTimer(run));
    const stacks = await run.query<string>('__stack_trace');
    const lines = stacks.split('\n\n').map((stack) => stack.split('\n').length);
    expect(stacks).toContain('at menuPublication');
    expect(Math.max(...lines)).toBeLessThanOrEqual(3);
    await run.terminate();
  });

  test('what is made later has stacks of the usual length', () => {
    expect(runInNewContext('Error.stackTraceLimit')).toBe(10);
  });
});

// The threads of workflows cannot be watched from here; `debugMode` runs the same code without them.
describe('a worker without threads of workflows', () => {
  const { nudge } = usePublicationRuns({ debugMode: true });

  test('no call into workflow code has a time limit, for which Node would start a thread', async () => {
    const entered = jest.spyOn(Script.prototype, 'runInContext');
    const { run } = await nudge({ claims: [] });
    await run.result();
    const limits = entered.mock.calls.map(([, options]) =>
      typeof options === 'object' ? options.timeout : undefined,
    );
    entered.mockRestore();
    expect(limits.length).toBeGreaterThan(5);
    expect(limits.filter((limit) => limit !== undefined)).toEqual([]);
  });
});
