import type { PollOutcome } from '../../src/delivery-apps/app-client';
import type { ConformanceSubject } from './conformance-subject';
import { payloadOf, readGoldenMenu } from './golden-menus';
import { openWorkbench, type Workbench } from './workbench';

/** What holds for apps that take a menu as a task: a poll that fails says nothing about the task. */
export function describePolls(subject: ConformanceSubject): void {
  const payload = payloadOf(subject, readGoldenMenu('pizza-with-extras'));
  let bench: Workbench;
  beforeAll(async () => {
    bench = await openWorkbench(subject);
  });
  beforeEach(() => bench.reset());
  afterAll(() => bench.close());

  async function startTask(): Promise<string> {
    const outcome = await bench.client.pushMenu(bench.request(payload, await bench.token()));
    if (outcome.kind !== 'accepted') throw new Error(`The push ended ${outcome.kind}.`);
    return outcome.taskId;
  }

  const poll = async (taskId: string) => bench.client.pollTask?.(await bench.question(taskId));

  async function pollToTheEnd(taskId: string): Promise<PollOutcome | undefined> {
    for (let polls = 0; polls < 20; polls += 1) {
      const outcome = await poll(taskId);
      if (outcome?.kind !== 'running') return outcome;
    }
    return undefined;
  }

  test('a task runs, then the menu is live, and stays live when asked again', async () => {
    const taskId = await startTask();
    expect(await poll(taskId)).toMatchObject({ kind: 'running' });
    expect(await pollToTheEnd(taskId)).toMatchObject({ kind: 'live' });
    expect(await poll(taskId)).toMatchObject({ kind: 'live' });
  });

  test.each([
    [{ kind: 'status', status: 503 }, ['retry']],
    [{ kind: 'rate_limit', s: 7 }, ['retry']],
    // The app has accepted the menu: refusing the question does not refuse it.
    [{ kind: 'status', status: 404 }, ['retry', 'unknown']],
    [{ kind: 'token_expired' }, ['token_expired']],
    [{ kind: 'bad_json' }, ['unknown', 'retry']],
    [{ kind: 'bad_json', mode: 'cut' }, ['unknown', 'retry']],
    [{ kind: 'endless_body' }, ['unknown', 'retry']],
    [{ kind: 'reset_before' }, ['unknown', 'retry']],
    [{ kind: 'reset_mid' }, ['unknown', 'retry']],
  ])('%j while polling: one of %j, and the task goes on', async (fault, kinds) => {
    const taskId = await startTask();
    await bench.queueFault({ ...fault, route: 'poll' });
    expect(kinds).toContain((await poll(taskId))?.kind);
    expect(await pollToTheEnd(taskId)).toMatchObject({ kind: 'live' });
    expect((await bench.requests()).filter(({ route }) => route === 'upload')).toHaveLength(1);
  });
}
