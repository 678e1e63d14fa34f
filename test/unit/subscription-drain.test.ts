import { noCheckpoints } from '../../src/platform/checkpoint';
import { createSecretBox, toEncryptionKey } from '../../src/platform/crypto/secrets';
import { generateSecret } from '../../src/platform/crypto/signing';
import { createDatabaseClock } from '../../src/platform/db/database-clock';
import { newId } from '../../src/platform/ids';
import { createLog } from '../../src/platform/observe/log';
import type { OutboundClient } from '../../src/platform/outbound/types';
import { createUnhurriedAnswers } from '../../src/webhooks/attempt/send-attempt';
import type { Claim } from '../../src/webhooks/drain/claimer';
import type { Outbox, OutcomeWriter } from '../../src/webhooks/drain/outcome-writer';
import { createPayloadBudget } from '../../src/webhooks/drain/payload-budget';
import { createSubscriptionDrain } from '../../src/webhooks/drain/subscription-drain';
import { subscriptionSecretContext } from '../../src/webhooks/sql/subscriptions';
import { deferred } from '../support/deferred';
import { until } from '../support/until';

test('a claim that is answered after the outcome of what it returns was recorded sends it no second time', async () => {
  const secrets = createSecretBox([toEncryptionKey(Buffer.alloc(32, 7))]);
  const subscriptionId = newId('sub');
  const subscription = {
    subscriptionId,
    type: 2,
    url: 'https://stock.example/',
    maxInFlight: 20,
    maxPerSecond: null,
    secretEncrypted: secrets.encrypt(generateSecret(), subscriptionSecretContext(subscriptionId)),
    previousSecretEncrypted: null,
    headersEncrypted: null,
    healthVersion: 1,
    moved: false,
    isHeldElsewhere: false,
    granted: 20,
    nextDueMs: null,
    consecutiveFailures: 0,
    failingSince: null,
    pausedUntil: null,
    disabledReason: null,
  } as const;
  const delivery = {
    deliveryId: newId('dlv'),
    messageId: newId('msg'),
    sequence: 1,
    payload: '{"type":2}',
    payloadBytes: 10,
    attemptsMade: 0,
    attemptsBeforeResend: 0,
    traceParent: null,
  };
  let requests = 0;
  const http: OutboundClient = {
    request(request) {
      requests += 1;
      request.onSent?.();
      const answer = { status: 204, headers: {}, body: Buffer.alloc(0), truncated: false };
      return Promise.resolve({ kind: 'response', ...answer, durationMs: 1 });
    },
    close: () => Promise.resolve(),
  };
  const mayRecord = deferred();
  const recorded: (readonly string[])[] = [];
  const writer: OutcomeWriter = {
    record(outbox) {
      void mayRecord.promise.then(() => record(outbox));
    },
  };
  function record(outbox: Outbox): void {
    const taken = [...outbox.attempts.splice(0), ...outbox.released.splice(0)];
    const rows = taken.map((each) => each.deliveryId);
    if (rows.length === 0) return;
    recorded.push(rows);
    outbox.onRecorded(rows);
  }
  let claims = 0;
  const mayAnswer = deferred();
  const clock = createDatabaseClock();
  const stopping = new AbortController();
  const drain = createSubscriptionDrain(
    {
      sql: undefined as never,
      log: createLog('silent'),
      writer,
      attempts: { http, timeoutMs: 1_000, unhurried: createUnhurriedAnswers(1) },
      retryTable: [200],
      budget: createPayloadBudget(1_000_000, undefined),
      secrets,
      atCheckpoint: noCheckpoints,
      clock,
      async claim(): Promise<Claim> {
        claims += 1;
        const deliveries = claims === 1 ? [delivery] : [];
        const askedAt = performance.now();
        if (claims === 1) await mayAnswer.promise;
        return { subscription, deliveries, mayHaveMore: false, askedAt };
      },
    },
    {
      subscriptionId,
      line: 1,
      epoch: 1,
      claimed: { epoch: 1, madeAt: clock.now(), subscription, delivery },
    },
    { stopping: stopping.signal, aborting: new AbortController().signal },
  );
  const running = drain.run();
  await until(() => requests === 1);
  drain.wake();
  await until(() => claims === 1);
  mayRecord.resolve();
  await until(() => recorded.length === 1);
  mayAnswer.resolve();
  // It is released, which changes nothing where it has ended, and claimed again should it be due.
  await until(() => claims === 2);
  expect(recorded).toEqual([[delivery.deliveryId], [delivery.deliveryId]]);
  expect(requests).toBe(1);
  stopping.abort();
  expect(await running).toBe('done');
});
