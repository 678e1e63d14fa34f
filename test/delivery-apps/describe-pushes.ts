import type { PushOutcome } from '../../src/delivery-apps/app-client';
import type { ConformanceSubject } from './conformance-subject';
import { payloadOf, readGoldenMenu } from './golden-menus';
import { openWorkbench, type Workbench } from './workbench';

interface FaultCase {
  readonly fault: Readonly<Record<string, unknown>> & { readonly kind: string };
  /** `success` is `live`, or `accepted` where a task follows. */
  readonly outcome: PushOutcome['kind'] | 'success' | 'unreadable success';
}

const FAULTS: readonly FaultCase[] = [
  { fault: { kind: 'status', status: 500 }, outcome: 'retry' },
  { fault: { kind: 'status', status: 503 }, outcome: 'retry' },
  { fault: { kind: 'status', status: 408 }, outcome: 'retry' },
  { fault: { kind: 'status', status: 403 }, outcome: 'rejected' },
  { fault: { kind: 'status', status: 413 }, outcome: 'rejected' },
  { fault: { kind: 'rate_limit', s: 7 }, outcome: 'retry' },
  { fault: { kind: 'slow', ms: 50 }, outcome: 'success' },
  { fault: { kind: 'reset_before' }, outcome: 'unknown' },
  { fault: { kind: 'reset_mid' }, outcome: 'unknown' },
  { fault: { kind: 'token_expired' }, outcome: 'token_expired' },
  { fault: { kind: 'bad_json' }, outcome: 'unreadable success' },
  { fault: { kind: 'bad_json', mode: 'cut' }, outcome: 'unreadable success' },
  { fault: { kind: 'ok_but_old' }, outcome: 'success' },
  { fault: { kind: 'redirect' }, outcome: 'rejected' },
  { fault: { kind: 'endless_body' }, outcome: 'unreadable success' },
];

/** What holds for every app's push: one outcome per answer, and in the end the newest menu, whatever went wrong. */
export function describePushes(subject: ConformanceSubject): void {
  const { unreadableSuccess, keyIsToken } = subject;
  const payload = payloadOf(subject, readGoldenMenu('pizza-with-extras'));
  let bench: Workbench;
  /** SHA-256 of what the store shows after an undisturbed push. */
  let undisturbed: string | undefined;

  beforeAll(async () => {
    bench = await openWorkbench(subject);
    expect(await bench.push(payload)).toMatchObject({ kind: 'live' });
    undisturbed = (await bench.menus()).at(-1)?.sha256;
  });
  beforeEach(() => bench.reset());
  afterAll(() => bench.close());

  async function expectUndisturbedEnd(): Promise<void> {
    expect(await bench.push(payload)).toMatchObject({ kind: 'live' });
    expect((await bench.menus()).at(-1)).toMatchObject({
      store_id: subject.store.appStoreId,
      sha256: undisturbed,
    });
  }

  test('a menu that is pushed is live, and the same bytes again change nothing', async () => {
    await expectUndisturbedEnd();
    await expectUndisturbedEnd();
  });

  test('the next menu replaces the one before', async () => {
    await expectUndisturbedEnd();
    const other = payloadOf(subject, readGoldenMenu('smallest'));
    expect(await bench.push(other)).toMatchObject({ kind: 'live' });
    expect((await bench.menus()).at(-1)?.sha256).not.toBe(undisturbed);
  });

  test.each(FAULTS)('$fault: $outcome, and a resend succeeds', async ({ fault, outcome }) => {
    const success = bench.client.pollTask ? 'accepted' : 'live';
    await bench.queueFault(fault);
    const pushed = await bench.client.pushMenu(bench.request(payload, await bench.token()));
    const kinds = { success, 'unreadable success': unreadableSuccess };
    expect(pushed.kind).toBe(
      outcome === 'success' || outcome === 'unreadable success' ? kinds[outcome] : outcome,
    );
    expect((await bench.requests()).map(({ route }) => route)).toEqual([
      ...(keyIsToken ? [] : ['token']),
      'upload',
    ]);
    await expectUndisturbedEnd();
  });

  test('a push without answer in time is unknown although it took effect', async () => {
    const request = bench.request(payload, await bench.token());
    await bench.queueFault({ kind: 'late', ms: 2_000 });
    expect((await bench.hastyClient.pushMenu(request)).kind).toBe('unknown');
    await expectUndisturbedEnd();
  });

  test.each([
    ['seconds', {}],
    ['as a date', { mode: 'date' }],
  ])('Retry-After %s says how long to wait', async (_, mode) => {
    await bench.queueFault({ kind: 'rate_limit', s: 7, ...mode });
    const outcome = await bench.client.pushMenu(bench.request(payload, await bench.token()));
    const afterMs = outcome.kind === 'retry' ? outcome.afterMs : undefined;
    expect(afterMs).toBeGreaterThan(5_000);
    expect(afterMs).toBeLessThanOrEqual(8_000);
  });

  test('a token that was never issued is expired', async () => {
    const outcome = await bench.client.pushMenu(bench.request(payload, 'nobody-issued-this'));
    expect(outcome).toEqual({ kind: 'token_expired' });
  });

  test('a token stays refused for as long as the app refuses it', async () => {
    await bench.queueFault({ kind: 'token_expired', mode: 'always' });
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const request = bench.request(payload, await bench.token());
      expect((await bench.client.pushMenu(request)).kind).toBe('token_expired');
    }
  });

  test('a document that is no menu is rejected with a reason, at once or by its task', async () => {
    const outcome = await bench.push(Buffer.from('{"menus":[{}]}'));
    expect(outcome.kind).toBe('rejected');
    if (outcome.kind === 'rejected') expect(outcome.reasons.join('')).not.toBe('');
    expect(await bench.menus()).toEqual([]);
  });

  if (subject.unknownStore !== undefined) {
    test('a store that the app does not know is rejected', async () => {
      const { unknownStore: appStoreId = '' } = subject;
      const request = { ...bench.request(payload, await bench.token()), appStoreId };
      expect((await bench.client.pushMenu(request)).kind).toBe('rejected');
    });
  }
}
