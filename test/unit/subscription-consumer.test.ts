import { setImmediate as nextTurn } from 'node:timers/promises';
import { type AtCheckpoint, noCheckpoints } from '../../src/platform/checkpoint';
import { createSecretBox, toEncryptionKey } from '../../src/platform/crypto/secrets';
import { generateSecret } from '../../src/platform/crypto/signing';
import { createDatabaseClock } from '../../src/platform/db/database-clock';
import { newId } from '../../src/platform/ids';
import { createLog } from '../../src/platform/observe/log';
import { createOwnFaults } from '../../src/platform/outbound/own-faults';
import type { OutboundClient } from '../../src/platform/outbound/types';
import { createPermits } from '../../src/platform/admission/permits';
import type { Claim } from '../../src/webhooks/consumer/claimer';
import type { Outbox, OutcomeWriter } from '../../src/webhooks/consumer/outcomes';
import { createPayloadBudget } from '../../src/webhooks/consumer/payload-budget';
import { createSubscriptionConsumer } from '../../src/webhooks/consumer/subscription-consumer';
import { subscriptionSecretContext } from '../../src/webhooks/sql/subscriptions';
import { deferred } from '../support/deferred';
import { until } from '../support/until';

/** A consumer whose first claim takes one delivery, whose receiver answers as soon as it may; `claim` answers the others. */
function startWorkerShards({
  type = 2,
  status = 204,
  maxInFlight = 20,
  mayAnswer = Promise.resolve(),
  mayRecord = Promise.resolve(),
  claim = (own) => Promise.resolve(nothing(own)),
  isLeaseHeld = () => true,
  atCheckpoint = noCheckpoints,
}: {
  type?: 1 | 2;
  status?: number;
  maxInFlight?: number;
  mayAnswer?: Promise<void>;
  mayRecord?: Promise<void>;
  claim?: (own: Pick<Claim, 'subscription' | 'deliveries'>) => Promise<Claim>;
  isLeaseHeld?: () => boolean;
  atCheckpoint?: AtCheckpoint;
}) {
  const secrets = createSecretBox([toEncryptionKey(Buffer.alloc(32, 7))]);
  const subscriptionId = newId('sub');
  const subscription = {
    subscriptionId,
    type,
    url: 'https://stock.example/',
    maxInFlight,
    maxPerSecond: null,
    secretEncrypted: secrets.encrypt(generateSecret(), subscriptionSecretContext(subscriptionId)),
    earlierSecretsEncrypted: null,
    headersEncrypted: null,
    healthVersion: 1,
    granted: 20,
    nextDueMs: null,
    consecutiveFailures: 0,
    failingSince: null,
    pausedUntil: null,
    isPauseAsked: false,
    disabledReason: null,
    ownFault: null,
  } as const;
  const delivery = {
    deliveryId: newId('dlv'),
    messageId: newId('msg'),
    sequence: 1,
    payload: '{"type":2}',
    payloadBytes: 10,
    attemptsMade: 0,
    attemptsBeforeResend: 0,
    receiverStatus: null,
    message: null,
    traceParent: null,
  };
  const seen = {
    claims: 0,
    requests: 0,
    recorded: [] as (readonly string[])[],
    awaited: [] as boolean[],
  };
  const http: OutboundClient = {
    async request(request) {
      seen.requests += 1;
      request.onSent?.();
      await mayAnswer;
      const answer = { status, headers: {}, body: Buffer.alloc(0), truncated: false };
      return { kind: 'response', ...answer, durationMs: 1 };
    },
    close: () => Promise.resolve(),
  };
  const writer: OutcomeWriter = {
    record(outbox, isAwaited) {
      seen.awaited.push(isAwaited);
      void mayRecord.then(() => record(outbox));
    },
  };
  function record(outbox: Outbox): void {
    const taken = [...outbox.attempts.splice(0), ...outbox.released.splice(0)];
    const rows = taken.map((each) => each.deliveryId);
    if (rows.length === 0) return;
    seen.recorded.push(rows);
    outbox.onRecorded(rows);
  }
  const clock = createDatabaseClock();
  const stopping = new AbortController();
  const consumer = createSubscriptionConsumer(
    {
      sql: undefined as never,
      log: createLog('silent'),
      writer,
      attempts: { http, timeoutMs: 1_000, unhurried: createPermits({ ofAll: 1 }), now: Date.now },
      retryTable: [200],
      budget: createPayloadBudget(1_000_000, undefined),
      secrets,
      atCheckpoint,
      ownFaults: createOwnFaults({ log: createLog('silent') }),
      clock,
      claim() {
        const own = { subscription, deliveries: [delivery] };
        seen.claims += 1;
        if (seen.claims > 1) return claim(own);
        return Promise.resolve({ ...own, mayHaveMore: false, askedAt: performance.now() });
      },
    },
    { subscriptionId, shard: 1, epoch: 1 },
    { stopping: stopping.signal, aborting: new AbortController().signal, isLeaseHeld },
  );
  const running = consumer.run();
  return { consumer, seen, deliveryId: delivery.deliveryId, stopping, running };
}

const nothing = (own: Pick<Claim, 'subscription'>): Claim => ({
  subscription: own.subscription,
  deliveries: [],
  mayHaveMore: false,
  askedAt: performance.now(),
});

test('a claim that is answered after the outcome of what it returns was recorded sends it no second time', async () => {
  const [mayRecord, mayClaim] = [deferred(), deferred()];
  const { consumer, seen, deliveryId, stopping, running } = startWorkerShards({
    mayRecord: mayRecord.promise,
    async claim(own) {
      if (seen.claims > 2) return nothing(own);
      const askedAt = performance.now();
      await mayClaim.promise;
      return { ...own, mayHaveMore: false, askedAt };
    },
  });
  await until(() => seen.requests === 1);
  consumer.wake();
  await until(() => seen.claims === 2);
  mayRecord.resolve();
  await until(() => seen.recorded.length === 1);
  mayClaim.resolve();
  // It is released, which changes nothing where it has ended, and claimed again should it be due.
  await until(() => seen.claims === 3);
  expect(seen.recorded).toEqual([[deliveryId], [deliveryId]]);
  expect(seen.requests).toBe(1);
  stopping.abort();
  expect(await running).toBe('done');
});

test('announcements wake a consumer without permits once, and it claims when there is one again', async () => {
  let looks = 0;
  const mayAnswer = deferred();
  const { consumer, seen, stopping, running } = startWorkerShards({
    maxInFlight: 1,
    mayAnswer: mayAnswer.promise,
    isLeaseHeld() {
      looks += 1; // before each claim, and before each request
      return true;
    },
  });
  await until(() => seen.requests === 1);
  const before = looks;
  for (let announcements = 0; announcements < 100; announcements += 1) {
    consumer.wake();
    await nextTurn();
  }
  expect(looks - before).toBeLessThanOrEqual(2);
  expect(seen.claims).toBe(1);
  mayAnswer.resolve();
  await until(() => seen.claims === 2);
  stopping.abort();
  expect(await running).toBe('done');
});

test('a consumer whose lease was over claims as soon as it is told that it is renewed', async () => {
  let isHeld = false;
  const { consumer, seen, stopping, running } = startWorkerShards({ isLeaseHeld: () => isHeld });
  consumer.wake();
  await nextTurn();
  expect(seen.claims).toBe(0);
  isHeld = true;
  consumer.resume();
  await until(() => seen.requests === 1);
  stopping.abort();
  expect(await running).toBe('done');
});

test('a delivery that cannot leave in time is given back before a connection is opened for it', async () => {
  let isHeld = true;
  const { seen, deliveryId, stopping, running } = startWorkerShards({
    isLeaseHeld: () => isHeld,
    atCheckpoint() {
      isHeld = false; // by now another worker may have the shard
      return Promise.resolve();
    },
  });
  await until(() => seen.recorded.length > 0);
  expect(seen.recorded).toEqual([[deliveryId]]);
  expect(seen.requests).toBe(0);
  stopping.abort();
  expect(await running).toBe('done');
});

test.each([
  { type: 1, status: 204, awaited: false },
  { type: 1, status: 503, awaited: true },
  { type: 2, status: 204, awaited: true },
] as const)(
  'the outcome of a request of type $type that got $status: awaited $awaited',
  async (given) => {
    const { seen, stopping, running } = startWorkerShards(given);
    await until(() => seen.recorded.length === 1);
    expect(seen.awaited).toEqual([given.awaited]);
    stopping.abort();
    expect(await running).toBe('done');
  },
);
