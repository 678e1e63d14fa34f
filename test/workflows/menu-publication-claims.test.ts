import { WAKE_SIGNAL } from '../../src/platform/temporal/workflow-names';
import { usePublicationRuns } from '../support/publication-runs';

const PUBLISHED = ['claimNewest', 'transformMenu', 'pushPromptly'];
const ONLY_PUSHED = ['claimNewest', 'pushPromptly'];
const WENT_TO_REST = ['claimNewest', 'rest'];
const WAITS = { kind: 'wait', ms: 3_600_000, summary: 'why' } as const;

const { publications, start, nextClaim, reached } = usePublicationRuns();

test('a failed upload waits, and a wake about a newer one ends the wait at once', async () => {
  const { storeId, run } = await start({
    claims: [nextClaim(), WAITS, nextClaim()],
    steps: { pushPromptly: [{ next: 'later' }] },
  });
  await reached(storeId, 'rest');
  expect(publications.calls(storeId)).toEqual([...PUBLISHED, ...WENT_TO_REST]);
  await run.signal(WAKE_SIGNAL);
  await run.result();
  expect(publications.calls(storeId).slice(5)).toEqual(PUBLISHED);
});

test('without a wake the wait ends at its time', async () => {
  const { storeId, run } = await start({
    claims: [{ kind: 'wait', ms: 200.5, summary: 'why' }, nextClaim()],
  });
  await run.result();
  expect(publications.calls(storeId)).toEqual([...WENT_TO_REST, ...PUBLISHED]);
});

test('an upload that waits for a permit waits in its row, and then needs only its push', async () => {
  const { storeId, run } = await start({
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
  const { storeId, run } = await start({
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

test('a menu that the claim has transformed is not transformed again', async () => {
  const { storeId, run } = await start({
    claims: [{ ...nextClaim(), transformed: { next: 'ready' } }],
  });
  expect(await run.result()).toMatchObject({ state: 'uploaded' });
  expect(publications.calls(storeId)).toEqual(ONLY_PUSHED);
});

test('a claim whose transform found no stored token is followed by the request for one', async () => {
  const { storeId, run } = await start({
    claims: [{ ...nextClaim(), transformed: { next: 'no_token' } }],
  });
  await run.result();
  expect(publications.calls(storeId)).toEqual([
    'claimNewest',
    'fetchToken',
    'transformMenu with the token',
    'pushPromptly',
  ]);
});
