import { Worker } from '@temporalio/worker';
import { DeterminismViolationError } from '@temporalio/workflow';
import { createLog } from '../../src/platform/observe/log';
import { installRuntime } from '../../src/platform/temporal/runtime';
import { testWorkflowBundle } from '../support/workflow-bundle';
import { readHistories, type RecordedHistory } from './histories';

installRuntime(createLog('silent'));

/** Every workflow that `workflows/index.ts` exports. */
const RECORDED = [
  'menuPublication',
  'menuRollout',
  'driftCheck',
  'storeAvailability',
  'webhookShard',
  'sweepLine',
];

const histories = readHistories();
const replay = ({ name, history }: RecordedHistory) =>
  Worker.runReplayHistory(
    { workflowBundle: testWorkflowBundle(), replayName: name },
    structuredClone(history), // it is changed by being read
  );

test.each(histories)(
  '$name: a run that started before a deployment continues after it unchanged',
  (recorded) => expect(replay(recorded)).resolves.toBeUndefined(),
);

test('every workflow has a recorded history', () => {
  const recorded = histories.map(({ history }) => JSON.stringify(history.events[0]));
  for (const workflow of RECORDED) {
    expect(recorded.some((first) => first.includes(`"${workflow}"`))).toBe(true);
  }
});

test('a history that the current workflow would not make is detected', async () => {
  const published = histories.find(({ name }) => name === 'menu-published-slowly');
  if (!published) throw new Error('no such history');
  const text = JSON.stringify(published.history).replaceAll('pushMenu', 'pullMenu');
  const other: RecordedHistory = { name: 'other', history: JSON.parse(text) };
  await expect(replay(other)).rejects.toThrow(DeterminismViolationError);
});
