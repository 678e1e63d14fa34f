import type { AttemptOutcome } from '../../src/webhooks/sql/delivery-outcomes';
import { until } from '../support/until';
import type { DeliveryId } from '../../src/platform/ids';
import { createLog } from '../../src/platform/observe/log';
import { createOutcomeWriter, type Outbox } from '../../src/webhooks/consumer/outcomes';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { createWebhookRows, type WebhookRows } from '../support/webhook-rows';

let database: TestDatabase;
let rows: WebhookRows;
beforeAll(async () => {
  database = await createTestDatabase();
  rows = await createWebhookRows(database.sql);
  await database.sql.unsafe(`
    create function refuse() returns trigger language plpgsql as $$ begin
      if new.attempts[1].response = 'bad words' then raise invalid_text_representation; end if;
      if new.attempts[1].status = 418 then raise check_violation; end if;
      return new; end $$;
    create function refuse_attempt() returns trigger language plpgsql as $$ begin
      if new.status = 418 then raise check_violation; end if;
      return new; end $$;
    create trigger refuse before insert on ended_delivery for each row execute function refuse();
    create trigger refuse before insert on attempt for each row execute function refuse_attempt()`);
});
afterAll(() => database.drop());

function refusal(deliveryId: DeliveryId): AttemptOutcome {
  return {
    deliveryId,
    epoch: 1,
    number: 1,
    state: 'refused',
    delayMs: null,
    attemptsBeforeResend: 0,
    afterResendMs: null,
    startedAt: Date.now(),
    durationMs: 1,
    status: 422,
    error: null,
    detail: null,
    response: 'words',
    message: 'No.',
  };
}

/** A writer and its results. */
function startWriter(parkedWaitsMs = [10, 10]) {
  let statements = 0;
  let refused = 0;
  const writer = createOutcomeWriter({
    sql: database.sql,
    log: createLog('silent'),
    metrics: { observeAttempt: () => {}, countRefusedOutcome: () => (refused += 1) },
    parkedWaitsMs,
    async atCheckpoint() {
      statements += 1;
    },
  });
  return { writer, statements: () => statements, refused: () => refused };
}

function outboxOf(attempts: AttemptOutcome[]): Outbox & { recorded: Set<string> } {
  const recorded = new Set<string>();
  return {
    attempts,
    released: [],
    health: null,
    recorded,
    onRecorded: (ids) => ids.forEach((id) => recorded.add(id)),
  };
}

async function lease(count: number): Promise<DeliveryId[]> {
  const subscription = await rows.subscribe({ url: 'https://stock.example/' });
  const ids = await rows.put(subscription, count);
  await database.sql`
    update delivery set lease_epoch = 1 where subscription_id = ${subscription.subscriptionId}`;
  return ids;
}

test('when Postgres refuses one of 400 outcomes, the others are recorded in the same statement and later ones in one batch', async () => {
  const ids = await lease(400);
  const attempts = ids.map(refusal);
  attempts[250] = { ...refusal(ids[250] as never), status: 418 };
  const { writer, statements, refused } = startWriter([60_000]);
  const outbox = outboxOf(attempts);
  writer.record(outbox, true);
  await until(() => outbox.recorded.size === 399);
  expect(statements()).toBe(1);
  expect(refused()).toBe(1);
  expect(await rows.delivery(ids[250] as never)).toMatchObject({ state: 'pending' });

  const more = outboxOf((await lease(400)).map(refusal));
  writer.record(more, true);
  await until(() => more.recorded.size === 400);
  expect(statements()).toBe(2);
});

test('a receiver’s message that Postgres refuses is left out, and the delivery ends as it should', async () => {
  const [id, other] = await lease(2);
  const { writer, refused } = startWriter();
  const outbox = outboxOf([
    { ...refusal(id as never), response: 'bad words', message: 'bad words' },
    refusal(other as never),
  ]);
  writer.record(outbox, true);
  await until(() => outbox.recorded.size === 2);
  expect(refused()).toBe(1);
  expect(await rows.delivery(id as never)).toMatchObject({
    state: 'refused',
    receiverStatus: 422,
    message: 'The inventory system refused the stock update.',
  });
  expect(await rows.attempts(id as never)).toMatchObject([{ status: 422, response: null }]);
  expect(await rows.delivery(other as never)).toMatchObject({ state: 'refused', message: 'No.' });
});

test('a delivery whose attempt Postgres always refuses ends without it, so that it is not sent for ever', async () => {
  const [id] = await lease(1);
  const { writer } = startWriter();
  const outbox = outboxOf([{ ...refusal(id as never), status: 418 }]);
  writer.record(outbox, true);
  await until(() => outbox.recorded.size === 1);
  expect(await rows.delivery(id as never)).toMatchObject({ state: 'refused', attemptsMade: 1 });
  expect(await rows.attempts(id as never)).toEqual([]);
});

test('a retry after an attempt that Postgres always refuses comes on time', async () => {
  const [id] = await lease(1);
  const { writer } = startWriter();
  const retried = { state: 'pending', delayMs: 60_000, status: 418, message: null } as const;
  const outbox = outboxOf([{ ...refusal(id as never), ...retried }]);
  writer.record(outbox, true);
  await until(() => outbox.recorded.size === 1);
  const { state, attemptsMade, dueAt } = await rows.delivery(id as never);
  expect({ state, attemptsMade }).toEqual({ state: 'pending', attemptsMade: 1 });
  expect(dueAt.getTime() - Date.now()).toBeGreaterThan(50_000);
});

test('a health change that Postgres refuses does not keep any outcome from being recorded', async () => {
  const [id] = await lease(1);
  const { writer, refused } = startWriter();
  const outbox = outboxOf([refusal(id as never)]);
  const health = {
    consecutiveFailures: 3e9,
    failingSince: 1,
    pausedUntil: null,
    isPauseAsked: false,
  };
  outbox.health = {
    subscriptionId: 'sub_1' as never,
    epoch: 1,
    healthVersion: 0,
    health: { ...health, disabledReason: null },
    disable: null,
  };
  writer.record(outbox, true);
  await until(() => outbox.recorded.size === 1);
  expect(refused()).toBe(1);
  expect(await rows.delivery(id as never)).toMatchObject({ state: 'refused' });
});
