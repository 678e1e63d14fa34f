import { Client, Connection } from '@temporalio/client';
import { ApplicationFailure, defineSearchAttributeKey } from '@temporalio/common';
import { NativeConnection, Worker } from '@temporalio/worker';
import { createLog } from '../../src/platform/observe/log';
import { installRuntime } from '../../src/platform/temporal/runtime';
import {
  MENU_PUBLICATION,
  menuPublicationId,
  SEARCH_ATTRIBUTES,
  WAKE_SIGNAL,
} from '../../src/platform/temporal/workflow-names';
import { SLOW_PUSH } from '../../src/uploads/upload-report';
import {
  claimOf,
  ended,
  type PublicationScript,
  scriptPublications,
} from '../support/scripted-publication';
import { testTemporalAddress, uniqueTaskQueue } from '../support/temporal';
import { takeNamespace } from '../support/temporal-namespace';
import { testWorkflowBundle } from '../support/workflow-bundle';
import { until } from '../support/until';

const PUBLISHED = ['claimNewest', 'transformMenu', 'pushPromptly'];
const ONLY_PUSHED = ['claimNewest', 'pushPromptly'];
const WENT_TO_REST = ['claimNewest', 'rest'];
const WAITS = { kind: 'wait', ms: 3_600_000, summary: 'why' } as const;
const UNREADABLE = ApplicationFailure.nonRetryable('a menu that nobody can read');
const AWAY = ApplicationFailure.nonRetryable('Postgres cannot be reached', 'PostgresAwayError');

installRuntime(createLog('silent'));

const taskQueue = uniqueTaskQueue('menus');
const publications = scriptPublications();
let client: Client;
let stopWorker: () => Promise<void>;
beforeAll(async () => {
  const [namespace, address] = [await takeNamespace(), testTemporalAddress()];
  client = new Client({ connection: await Connection.connect({ address }), namespace });
  const connection = await NativeConnection.connect({ address });
  const worker = await Worker.create({
    connection,
    namespace,
    taskQueue,
    workflowBundle: testWorkflowBundle(),
    activities: publications.activities,
  });
  const running = worker.run();
  stopWorker = async () => {
    worker.shutdown();
    await running;
    await connection.close();
    await client.connection.close();
  };
});
afterAll(() => stopWorker());

let lastStore = 0;

/** Starts the publication of a new store as a nudge does. */
async function nudge(script: PublicationScript) {
  const storeId = (lastStore += 1);
  publications.play(storeId, script);
  const run = await client.workflow.signalWithStart(MENU_PUBLICATION, {
    taskQueue,
    workflowId: menuPublicationId(storeId, 1),
    args: [{ storeId, integrationId: 1 }],
    signal: WAKE_SIGNAL,
  });
  return { storeId, run };
}

/** A script whose claims are those of the store that is nudged next. */
const nextClaim = (kind?: 'confirm') => claimOf(lastStore + 1, kind);

async function reached(storeId: number, call: string, times = 1): Promise<void> {
  const count = () => publications.calls(storeId).filter((each) => each === call).length;
  await until(async () => count() >= times);
}

test('an upload is claimed, prepared and pushed, and the run completes with its outcome', async () => {
  const { storeId, run } = await nudge({ claims: [nextClaim()] });
  expect(await run.result()).toEqual({ upload_id: `upl_${storeId}`, state: 'uploaded' });
  expect(publications.calls(storeId)).toEqual(PUBLISHED);
  const { typedSearchAttributes } = await run.describe();
  const state = defineSearchAttributeKey(SEARCH_ATTRIBUTES.uploadState, 'KEYWORD');
  expect(typedSearchAttributes.get(state)).toBe('uploaded');
});

test('an upload that ends while a newer one waits is followed by that one, whose end is the result', async () => {
  const { storeId, run } = await nudge({
    claims: [nextClaim(), nextClaim()],
    steps: { pushPromptly: [ended(false), ended(true, 'failed')] },
  });
  expect(await run.result()).toEqual({ upload_id: `upl_${storeId}`, state: 'failed' });
  expect(publications.calls(storeId)).toEqual([...PUBLISHED, ...PUBLISHED]);
});

test('a nudge that finds nothing ends the run again', async () => {
  const { storeId, run } = await nudge({ claims: [] });
  expect(await run.result()).toBeNull();
  expect(publications.calls(storeId)).toEqual(WENT_TO_REST);
});

test('images are checked if the app requires it', async () => {
  const { storeId, run } = await nudge({
    claims: [nextClaim()],
    steps: { transformMenu: [{ next: 'images' }] },
  });
  await run.result();
  expect(publications.calls(storeId).slice(1)).toEqual([
    'transformMenu',
    'checkImages',
    'pushPromptly',
  ]);
});

test.each(['fetchToken', 'transformMenu'] as const)(
  'an upload that %s ends is not pushed',
  async (step) => {
    const [end, absent] = [ended(true, 'failed'), { next: 'no_token' }] as const;
    const steps =
      step === 'fetchToken' ? { transformMenu: [absent], [step]: [end] } : { [step]: [end] };
    const { storeId, run } = await nudge({ claims: [nextClaim()], steps });
    expect(await run.result()).toMatchObject({ state: 'failed' });
    expect(publications.calls(storeId)).not.toContain('pushPromptly');
  },
);

test('a superseded attempt records nothing and looks for the newest upload', async () => {
  const { storeId, run } = await nudge({
    claims: [nextClaim()],
    steps: { pushPromptly: [{ next: 'stale' }] },
  });
  expect(await run.result()).toBeNull();
  expect(publications.calls(storeId)).toEqual([...PUBLISHED, ...WENT_TO_REST]);
});

test('a failed upload waits, and a nudge about a newer one ends the wait at once', async () => {
  const { storeId, run } = await nudge({
    claims: [nextClaim(), WAITS, nextClaim()],
    steps: { pushPromptly: [{ next: 'later' }] },
  });
  await reached(storeId, 'rest');
  expect(publications.calls(storeId)).toEqual([...PUBLISHED, ...WENT_TO_REST]);
  await run.signal(WAKE_SIGNAL);
  await run.result();
  expect(publications.calls(storeId).slice(5)).toEqual(PUBLISHED);
});

test('without a nudge the wait ends at its time', async () => {
  const { storeId, run } = await nudge({
    claims: [{ kind: 'wait', ms: 200.5, summary: 'why' }, nextClaim()],
  });
  await run.result();
  expect(publications.calls(storeId)).toEqual([...WENT_TO_REST, ...PUBLISHED]);
});

test('an upload that waits for a place waits in its row, and then needs only its push', async () => {
  const { storeId, run } = await nudge({
    claims: [nextClaim(), WAITS, { ...nextClaim(), isPrepared: true }],
    steps: { pushPromptly: [{ next: 'waits' }] },
  });
  await reached(storeId, 'rest');
  expect(publications.calls(storeId)).toEqual([...PUBLISHED, ...WENT_TO_REST]);
  await run.signal(WAKE_SIGNAL);
  await run.result();
  expect(publications.calls(storeId).slice(5)).toEqual(ONLY_PUSHED);
});

test('without a stored token the app is asked for one, in a step that may be slow', async () => {
  const { storeId, run } = await nudge({
    claims: [nextClaim()],
    steps: { transformMenu: [{ next: 'no_token' }] },
  });
  await run.result();
  expect(publications.calls(storeId)).toEqual([
    'claimNewest',
    'transformMenu',
    'fetchToken',
    'transformMenu with the token',
    'pushPromptly',
  ]);
});

test('a push that takes longer is waited for by an activity that the Temporal UI shows', async () => {
  const steps = { pushPromptly: [SLOW_PUSH] };
  const { storeId, run } = await nudge({ claims: [nextClaim()], steps });
  expect(await run.result()).toMatchObject({ state: 'uploaded' });
  expect(publications.calls(storeId)).toEqual([...PUBLISHED, 'pushMenu']);
});

test('a run whose upload was claimed under the release before pushes as that release did', async () => {
  const { storeId, run } = await nudge({ claims: [{ ...nextClaim(), pushesPromptly: false }] });
  expect(await run.result()).toMatchObject({ state: 'uploaded' });
  expect(publications.calls(storeId)).toEqual(['claimNewest', 'transformMenu', 'pushMenu']);
});

test.each([
  [UNREADABLE, 'postpone'],
  [AWAY, 'postpone, due'],
])(
  'a step that fails at every try (%s) ends the round instead of the run',
  async (failure, end) => {
    const { storeId, run } = await nudge({
      claims: [nextClaim()],
      steps: { transformMenu: [() => Promise.reject(failure)] },
    });
    await run.result();
    const calls = ['claimNewest', 'transformMenu', end, ...WENT_TO_REST];
    expect(publications.calls(storeId)).toEqual(calls);
  },
);

describe('a task of an asynchronous app', () => {
  test('is polled until it has ended, and its callback shortens the wait', async () => {
    const { storeId, run } = await nudge({
      claims: [nextClaim()],
      steps: {
        pushPromptly: [{ next: 'accepted' }],
        confirmTask: [{ next: 'running' }, { next: 'running' }, ended(true)],
      },
    });
    await reached(storeId, 'pushPromptly');
    const startedAt = Date.now();
    for (let asked = 1; asked <= 3; asked += 1) {
      await run.signal(WAKE_SIGNAL);
      await reached(storeId, 'confirmTask', asked);
    }
    await run.result();
    expect(Date.now() - startedAt).toBeLessThan(2_000 + 4_000);
    expect(publications.calls(storeId).at(-1)).toBe('confirmTask');
  });

  test('left behind by a dead worker is polled, not pushed again', async () => {
    const { storeId, run } = await nudge({ claims: [nextClaim('confirm')] });
    await reached(storeId, 'claimNewest');
    await run.signal(WAKE_SIGNAL);
    await run.result();
    expect(publications.calls(storeId)).toEqual(['claimNewest', 'confirmTask']);
  });
});

describe('no nudge is lost', () => {
  test('when it comes while the run is about to complete', async () => {
    const storeId = lastStore + 1;
    const { run } = await nudge({
      claims: [
        async () => {
          await client.workflow.getHandle(menuPublicationId(storeId, 1)).signal(WAKE_SIGNAL);
          publications.play(storeId, { claims: [claimOf(storeId)] });
          return { kind: 'idle' };
        },
      ],
    });
    await run.result();
    expect(publications.calls(storeId).filter((call) => call === 'pushPromptly')).toHaveLength(1);
    const { events } = await run.fetchHistory();
    const failed = events?.flatMap((event) => event.workflowTaskFailedEventAttributes ?? []);
    expect(failed).toHaveLength(1); // refused to complete: UnhandledCommand
  });

  test('when it comes between two runs: the next one starts', async () => {
    const { storeId, run } = await nudge({ claims: [] });
    await run.result();
    publications.play(storeId, { claims: [claimOf(storeId)] });
    const next = await client.workflow.signalWithStart(MENU_PUBLICATION, {
      taskQueue,
      workflowId: menuPublicationId(storeId, 1),
      args: [{ storeId, integrationId: 1 }],
      signal: WAKE_SIGNAL,
    });
    await next.result();
    expect(publications.calls(storeId)).toContain('pushPromptly');
  });
});
