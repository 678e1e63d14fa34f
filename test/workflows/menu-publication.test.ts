import { Client, Connection, type WorkflowHandleWithSignaledRunId } from '@temporalio/client';
import { ApplicationFailure, defineSearchAttributeKey } from '@temporalio/common';
import { NativeConnection, Worker } from '@temporalio/worker';
import { createLog } from '../../src/log';
import { installRuntime } from '../../src/temporal/runtime';
import {
  MENU_PUBLICATION,
  menuPublicationId,
  SEARCH_ATTRIBUTES,
  WAKE_SIGNAL,
} from '../../src/domain/workflow-names';
import {
  claimOf,
  type PublicationScript,
  scriptPublications,
} from '../support/scripted-publication';
import { testTemporalAddress, uniqueTaskQueue } from '../support/temporal';
import { takeNamespace } from '../support/temporal-namespace';
import { testWorkflowBundle } from '../support/workflow-bundle';

const PUBLISHED = ['claimNewest', 'fetchToken', 'transformMenu', 'pushMenu', 'outcome'];
const ONLY_PUSHED = ['claimNewest', 'pushMenu', 'outcome'];
const WENT_TO_REST = ['claimNewest', 'rest'];
const WAITS = { kind: 'wait', ms: 3_600_000, told: 'why' } as const;
const UNREADABLE = ApplicationFailure.nonRetryable('a menu that nobody can read');

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

interface Nudged {
  readonly storeId: number;
  readonly run: WorkflowHandleWithSignaledRunId;
}

/** Starts the publication of a new store as a nudge does. */
async function nudge(script: PublicationScript): Promise<Nudged> {
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
  while (count() < times) await new Promise((resolve) => setTimeout(resolve, 10));
}

test('an upload is claimed, prepared, pushed and recorded, and the run completes', async () => {
  const { storeId, run } = await nudge({ claims: [nextClaim()] });
  await run.result();
  expect(publications.calls(storeId)).toEqual([...PUBLISHED, ...WENT_TO_REST]);
  const { typedSearchAttributes } = await run.describe();
  const state = defineSearchAttributeKey(SEARCH_ATTRIBUTES.uploadState, 'KEYWORD');
  expect(typedSearchAttributes.get(state)).toBe('uploaded');
});

test('a nudge that finds nothing ends the run again', async () => {
  const { storeId, run } = await nudge({ claims: [] });
  await run.result();
  expect(publications.calls(storeId)).toEqual(WENT_TO_REST);
});

test('images are looked at where the app asks for it', async () => {
  const { storeId, run } = await nudge({
    claims: [nextClaim()],
    steps: { transformMenu: ['images'] },
  });
  await run.result();
  expect(publications.calls(storeId).slice(2, 5)).toEqual([
    'transformMenu',
    'checkImages',
    'pushMenu',
  ]);
});

test('an expired token is fetched anew once, and the push is told so', async () => {
  const { storeId, run } = await nudge({
    claims: [nextClaim()],
    steps: { pushMenu: ['token_expired', 'decided'] },
  });
  await run.result();
  expect(publications.calls(storeId).slice(3, 7)).toEqual([
    'pushMenu',
    'fetchToken',
    'pushMenu refreshed',
    'outcome',
  ]);
});

test.each(['fetchToken', 'transformMenu'] as const)(
  'an upload that %s decides is not pushed',
  async (step) => {
    const { storeId, run } = await nudge({ claims: [nextClaim()], steps: { [step]: ['decided'] } });
    await run.result();
    expect(publications.calls(storeId)).not.toContain('pushMenu');
    expect(publications.calls(storeId)).toContain('outcome');
  },
);

test('an attempt that was taken over records nothing and looks for what is newest', async () => {
  const { storeId, run } = await nudge({ claims: [nextClaim()], steps: { pushMenu: ['stale'] } });
  await run.result();
  expect(publications.calls(storeId)).toEqual([...PUBLISHED.slice(0, -1), ...WENT_TO_REST]);
});

test('an upload without success waits, and a nudge about a newer one ends the waiting at once', async () => {
  const { storeId, run } = await nudge({
    claims: [nextClaim(), WAITS, nextClaim()],
    steps: { pushMenu: ['later'] },
  });
  await reached(storeId, 'rest');
  expect(publications.calls(storeId)).toEqual([
    ...PUBLISHED.slice(0, -1),
    'postpone',
    ...WENT_TO_REST,
  ]);
  await run.signal(WAKE_SIGNAL);
  await run.result();
  expect(publications.calls(storeId).slice(7)).toEqual([...PUBLISHED, ...WENT_TO_REST]);
});

test('without a nudge the waiting ends by itself when the time has come', async () => {
  const { storeId, run } = await nudge({
    claims: [{ kind: 'wait', ms: 200.5, told: 'why' }, nextClaim()],
  });
  await run.result();
  expect(publications.calls(storeId)).toEqual([...WENT_TO_REST, ...PUBLISHED, ...WENT_TO_REST]);
});

test('an upload that waits for its turn is left to its row, and then needs only its push', async () => {
  const { storeId, run } = await nudge({
    claims: [nextClaim(), WAITS, { ...nextClaim(), isPrepared: true }],
    steps: { pushMenu: ['turn'] },
  });
  await reached(storeId, 'rest');
  expect(publications.calls(storeId)).toEqual([...PUBLISHED.slice(0, -1), ...WENT_TO_REST]);
  await run.signal(WAKE_SIGNAL);
  await run.result();
  expect(publications.calls(storeId).slice(6)).toEqual([...ONLY_PUSHED, ...WENT_TO_REST]);
});

test('without a kept token the app is asked for one, in a step that may take its time', async () => {
  const { storeId, run } = await nudge({
    claims: [nextClaim()],
    steps: { fetchToken: ['absent', 'ready'] },
  });
  await run.result();
  const [claim, ...others] = PUBLISHED;
  expect(publications.calls(storeId)).toEqual([claim, 'fetchToken', ...others, ...WENT_TO_REST]);
});

test('a step that fails at every try ends the round instead of the run', async () => {
  const { storeId, run } = await nudge({
    claims: [nextClaim()],
    steps: { transformMenu: [() => Promise.reject(UNREADABLE)] },
  });
  await run.result();
  expect(publications.calls(storeId)).toEqual([
    'claimNewest',
    'fetchToken',
    'transformMenu',
    'postpone',
    ...WENT_TO_REST,
  ]);
});

describe('a task of an asynchronous app', () => {
  test('is asked after until it has ended, and its callback shortens the wait', async () => {
    const { storeId, run } = await nudge({
      claims: [nextClaim()],
      steps: { pushMenu: ['accepted'], confirmTask: ['running', 'running', 'decided'] },
    });
    await reached(storeId, 'pushMenu');
    const startedAt = Date.now();
    for (let asked = 1; asked <= 3; asked += 1) {
      await run.signal(WAKE_SIGNAL);
      await reached(storeId, 'confirmTask', asked);
    }
    await run.result();
    expect(Date.now() - startedAt).toBeLessThan(2_000 + 4_000);
    expect(publications.calls(storeId).at(-3)).toBe('outcome');
  });

  test('that a dead worker left behind is asked after, not pushed again', async () => {
    const { storeId, run } = await nudge({ claims: [nextClaim('confirm')] });
    await reached(storeId, 'claimNewest');
    await run.signal(WAKE_SIGNAL);
    await run.result();
    expect(publications.calls(storeId)).toEqual([
      'claimNewest',
      'confirmTask',
      'outcome',
      ...WENT_TO_REST,
    ]);
  });
});

describe('no nudge is lost', () => {
  test('when an upload was committed just before the promise to look again was taken back', async () => {
    const { storeId, run } = await nudge({
      claims: [{ kind: 'idle' }, nextClaim()],
      rests: [true],
    });
    await run.result();
    expect(publications.calls(storeId)).toEqual([...WENT_TO_REST, ...PUBLISHED, ...WENT_TO_REST]);
  });

  test('when it comes while the run is about to complete', async () => {
    const storeId = lastStore + 1;
    const { run } = await nudge({
      claims: [{ kind: 'idle' }],
      rests: [
        async () => {
          await client.workflow.getHandle(menuPublicationId(storeId, 1)).signal(WAKE_SIGNAL);
          publications.play(storeId, { claims: [claimOf(storeId)] });
          return false;
        },
      ],
    });
    await run.result();
    expect(publications.calls(storeId).filter((call) => call === 'pushMenu')).toHaveLength(1);
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
    expect(publications.calls(storeId)).toContain('pushMenu');
  });
});
