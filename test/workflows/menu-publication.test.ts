import { ApplicationFailure, defineSearchAttributeKey } from '@temporalio/common';
import { SEARCH_ATTRIBUTES, WAKE_SIGNAL } from '../../src/platform/temporal/workflow-names';
import { SLOW_PUSH } from '../../src/uploads/upload-report';
import { usePublicationRuns } from '../support/publication-runs';
import { claimOf, ended } from '../support/scripted-publication';

const PUBLISHED = ['claimNewest', 'transformMenu', 'pushPromptly'];
const WENT_TO_REST = ['claimNewest', 'rest'];
const UNREADABLE = ApplicationFailure.nonRetryable('a menu that nobody can read');
const AWAY = ApplicationFailure.nonRetryable('Postgres cannot be reached', 'PostgresAwayError');

const { publications, start, startAgain, nextClaim, reached, wake } = usePublicationRuns();

test('an upload is claimed, prepared and pushed, and the run completes with its outcome', async () => {
  const { storeId, run } = await start({ claims: [nextClaim()] });
  expect(await run.result()).toEqual({ upload_id: `upl_${storeId}`, state: 'uploaded' });
  expect(publications.calls(storeId)).toEqual(PUBLISHED);
  const { typedSearchAttributes } = await run.describe();
  const state = defineSearchAttributeKey(SEARCH_ATTRIBUTES.uploadState, 'KEYWORD');
  expect(typedSearchAttributes.get(state)).toBe('uploaded');
});

test('an upload that ends while a newer one waits is followed by that one, whose end is the result', async () => {
  const { storeId, run } = await start({
    claims: [nextClaim(), nextClaim()],
    steps: { pushPromptly: [ended(false), ended(true, 'failed')] },
  });
  expect(await run.result()).toEqual({ upload_id: `upl_${storeId}`, state: 'failed' });
  expect(publications.calls(storeId)).toEqual([...PUBLISHED, ...PUBLISHED]);
});

test('a wake that finds nothing ends the run again', async () => {
  const { storeId, run } = await start({ claims: [] });
  expect(await run.result()).toBeNull();
  expect(publications.calls(storeId)).toEqual(WENT_TO_REST);
});

test('images are checked if the app requires it', async () => {
  const { storeId, run } = await start({
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
    const { storeId, run } = await start({ claims: [nextClaim()], steps });
    expect(await run.result()).toMatchObject({ state: 'failed' });
    expect(publications.calls(storeId)).not.toContain('pushPromptly');
  },
);

test('a superseded attempt records nothing and looks for the newest upload', async () => {
  const { storeId, run } = await start({
    claims: [nextClaim()],
    steps: { pushPromptly: [{ next: 'stale' }] },
  });
  expect(await run.result()).toBeNull();
  expect(publications.calls(storeId)).toEqual([...PUBLISHED, ...WENT_TO_REST]);
});

test('a push that takes longer is waited for by an activity that the Temporal UI shows', async () => {
  const steps = { pushPromptly: [SLOW_PUSH] };
  const { storeId, run } = await start({ claims: [nextClaim()], steps });
  expect(await run.result()).toMatchObject({ state: 'uploaded' });
  expect(publications.calls(storeId)).toEqual([...PUBLISHED, 'pushMenu']);
});

test.each([
  [UNREADABLE, 'postpone'],
  [AWAY, 'postpone, due'],
])(
  'a step that fails at every try (%s) ends the round instead of the run',
  async (failure, end) => {
    const { storeId, run } = await start({
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
    const { storeId, run } = await start({
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
    const { storeId, run } = await start({ claims: [nextClaim('confirm')] });
    await reached(storeId, 'claimNewest');
    await run.signal(WAKE_SIGNAL);
    await run.result();
    expect(publications.calls(storeId)).toEqual(['claimNewest', 'confirmTask']);
  });
});

describe('no wake is lost', () => {
  test('when it comes while the run is about to complete', async () => {
    const next = nextClaim();
    const storeId = Number(next.uploadId.slice('upl_'.length));
    const { run } = await start({
      claims: [
        async () => {
          await wake(storeId);
          publications.play(storeId, { claims: [next] });
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
    const { storeId, run } = await start({ claims: [] });
    await run.result();
    publications.play(storeId, { claims: [claimOf(storeId)] });
    const next = await startAgain(storeId);
    await next.result();
    expect(publications.calls(storeId)).toContain('pushPromptly');
  });
});
