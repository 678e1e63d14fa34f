import fc from 'fast-check';
import type { ReceiverAnswer } from '../../src/webhooks/attempt/read-answer';
import {
  healthSignal,
  judgeItemData,
  judgePlatformEvent,
  judgeStock,
} from '../../src/webhooks/attempt/judge-answer';

const NOW = Date.UTC(2026, 10, 21, 12);
const TRANSIENT = [408, 425, 429, 500, 502, 503, 504, 599];

function answered(status: number, body: unknown = '', retryAfter: string | null = null) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return {
    kind: 'answered',
    status,
    retryAfter,
    text,
    secrets: [],
  } as const satisfies ReceiverAnswer;
}

type Unanswered = Extract<ReceiverAnswer, { kind: 'unanswered' }>;

function unanswered(
  cause: Unanswered['cause'],
  sent: boolean,
  status: number | null = null,
): Unanswered {
  return { kind: 'unanswered', cause, sent, status };
}

const retry = (status: number | null, rest: object = {}): object => ({
  kind: 'retry',
  status,
  message: null,
  retryAfterMs: null,
  ...rest,
});

describe('an event for the platform', () => {
  test.each([200, 201, 202, 204, 299])('%i is a success', (status) => {
    const delivered = { kind: 'delivered', status, gone: false };
    expect(judgePlatformEvent(answered(status, 'no JSON'), NOW)).toEqual(delivered);
    // The status line decides, though the rest never came.
    expect(judgePlatformEvent(unanswered('timeout', true, status), NOW)).toEqual(delivered);
  });

  test.each([100, 300, 301, 400, 401, 404, 422, 499, ...TRANSIENT])(
    '%i is tried again',
    (status) => {
      const words = { message: 'No.' };
      expect(judgePlatformEvent(answered(status, words, '7'), NOW)).toEqual(
        retry(status, { message: 'No.', retryAfterMs: 7_000 }),
      );
    },
  );

  test('a 410 ends it and disables the webhook, with or without words', () => {
    const verdict = judgePlatformEvent(answered(410, { message: 'Moved.' }), NOW);
    expect(verdict).toEqual({ kind: 'refused', status: 410, message: 'Moved.', gone: true });
    expect(healthSignal(verdict)).toBe('gone');
    expect(judgePlatformEvent(unanswered('network', true, 410), NOW)).toMatchObject({
      kind: 'refused',
      message: null,
    });
  });

  test.each([true, false])('without a status it is tried again, all sent: %s', (sent) => {
    expect(judgePlatformEvent(unanswered('timeout', sent), NOW)).toEqual(retry(null));
    expect(judgePlatformEvent(unanswered('network', sent), NOW)).toEqual(retry(null));
    expect(judgePlatformEvent(unanswered('interrupted', sent), NOW)).toEqual({
      kind: 'interrupted',
    });
  });
});

describe('type 1, item data', () => {
  test.each([200, 201, 204, 301, 302, 400, 401, 404, 422, 499])('%i is delivered', (status) => {
    expect(judgeItemData(answered(status), NOW)).toEqual({
      kind: 'delivered',
      status,
      gone: false,
    });
  });

  test('410 is delivered and disables', () => {
    const verdict = judgeItemData(answered(410), NOW);
    expect(verdict).toEqual({ kind: 'delivered', status: 410, gone: true });
    expect(healthSignal(verdict)).toBe('gone');
  });

  test.each(TRANSIENT)('%i is retried', (status) => {
    expect(judgeItemData(answered(status), NOW)).toEqual(retry(status));
  });

  test('silence after the last byte counts as delivered, and as healthy', () => {
    const verdict = judgeItemData(unanswered('timeout', true), NOW);
    expect(verdict).toEqual({ kind: 'delivered', status: null, gone: false });
    expect(healthSignal(verdict)).toBe('success');
  });

  test('a deadline that passed before everything was sent is retried', () => {
    expect(judgeItemData(unanswered('timeout', false), NOW)).toEqual(retry(null));
  });

  test.each([true, false])('no connection, TLS failure, reset, early end: retried (%s)', (sent) => {
    expect(judgeItemData(unanswered('network', sent), NOW)).toEqual(retry(null));
  });

  test('a status line is enough, whatever happened to the body after it', () => {
    const broken = unanswered('network', true, 200);
    expect(judgeItemData(broken, NOW)).toEqual({ kind: 'delivered', status: 200, gone: false });
    expect(judgeItemData(unanswered('timeout', true, 503), NOW)).toEqual(retry(503));
  });
});

describe('type 2, stock updates', () => {
  test('only 204 is an acknowledgement', () => {
    expect(judgeStock(answered(204), NOW)).toEqual({ kind: 'acknowledged', status: 204 });
    for (const status of [200, 201, 202, 205, 206, 207]) {
      expect(judgeStock(answered(status, { message: 'ok' }), NOW)).toMatchObject({
        kind: 'retry',
        status,
      });
    }
  });

  test.each([400, 401, 404, 409, 422, 499])('%i with a message is a refusal', (status) => {
    const verdict = judgeStock(answered(status, { message: 'Unknown item' }), NOW);
    expect(verdict).toEqual({ kind: 'refused', status, message: 'Unknown item', gone: false });
    expect(healthSignal(verdict)).toBe('success');
  });

  test.each([400, 404, 422])('%i without a message is not a refusal: retried', (status) => {
    const bodies = ['', '<html>nginx</html>', '{"message":', '"message"', '["a"]', 'null', '{}'];
    const values = [{ message: '' }, { message: ' \n ' }, { message: [] }, { message: null }];
    const wrong = [{ message: 7 }, { message: { message: 'a' } }, { message: ['a', 1] }];
    for (const body of [...bodies, ...values, ...wrong]) {
      expect(judgeStock(answered(status, body), NOW)).toEqual(retry(status));
    }
  });

  test.each(TRANSIENT)('%i is retried, and its message is kept', (status) => {
    const answer = answered(status, { message: 'Busy' });
    expect(judgeStock(answer, NOW)).toEqual(retry(status, { message: 'Busy' }));
  });

  test.each([301, 302, 307, 308])('%i is not followed, but retried', (status) => {
    expect(judgeStock(answered(status), NOW)).toEqual(retry(status));
  });

  test('410 refuses and disables, with its own message or ours', () => {
    expect(judgeStock(answered(410, { message: ['Closed'] }), NOW)).toEqual({
      kind: 'refused',
      status: 410,
      message: 'Closed',
      gone: true,
    });
    const silent = judgeStock(answered(410), NOW);
    expect(silent).toMatchObject({ message: 'The inventory system refused the stock update.' });
    expect(healthSignal(silent)).toBe('gone');
  });

  test.each([true, false])('no full answer is never an acknowledgement (sent: %s)', (sent) => {
    for (const cause of ['timeout', 'network'] as const) {
      for (const status of [null, 204, 400, 410]) {
        const verdict = judgeStock(unanswered(cause, sent, status), NOW);
        expect(verdict).toEqual(retry(status));
        expect(healthSignal(verdict)).toBe('failure');
      }
    }
  });
});

test('an attempt that we abort says nothing about delivery or receiver', () => {
  for (const judge of [judgeItemData, judgeStock]) {
    const verdict = judge(unanswered('interrupted', true), NOW);
    expect(verdict).toEqual({ kind: 'interrupted' });
    expect(healthSignal(verdict)).toBeNull();
  }
});

test('Retry-After is read as seconds or as a date', () => {
  for (const value of ['120', 'Sat, 21 Nov 2026 12:02:00 GMT']) {
    expect(judgeStock(answered(503, '', value), NOW)).toEqual(
      retry(503, { retryAfterMs: 120_000 }),
    );
  }
  expect(judgeItemData(answered(429, '', 'later'), NOW)).toEqual(retry(429));
});

/** What is stored of the receiver's message; a 500 has the same one as a refusal, without being final. */
function messageOf(body: unknown): string | null {
  const verdict = judgeStock(answered(500, body), NOW);
  return verdict.kind === 'retry' ? verdict.message : null;
}

describe('the message', () => {
  test('an array of strings becomes one sentence after the other', () => {
    expect(messageOf({ message: ['No stock.\n', '', ' Ask again. '] })).toBe(
      'No stock. Ask again.',
    );
  });

  test('is cleaned, and cut at 500 characters in all', () => {
    expect(messageOf({ message: 'a\u202Eb\u0007c' })).toBe('ab c');
    expect(messageOf({ message: '🌶'.repeat(501) })).toBe('🌶'.repeat(500));
    const two = messageOf({ message: ['x'.repeat(300), 'y'.repeat(300)] });
    expect(two).toBe(`${'x'.repeat(300)} ${'y'.repeat(199)}`);
  });

  test('is found after a byte order mark, and beside hostile keys', () => {
    expect(messageOf('\uFEFF{"message":"ok"}')).toBe('ok');
    expect(messageOf('{"__proto__":{"message":"no"}}')).toBeNull();
  });

  test('deep nesting within the size limit does no harm', () => {
    const depth = 8_000;
    const nested = '['.repeat(depth) + ']'.repeat(depth);
    expect(messageOf(`{"a":${nested},"message":"ok"}`)).toBe('ok');
    expect(messageOf(`{"message":${nested}}`)).toBeNull();
  });
});

test('whatever a receiver answers, there is a verdict, and a refusal always has a message', () => {
  const body = fc.oneof(
    fc.json(),
    fc.string(),
    fc.json().map((json) => `{"message":${json}}`),
  );
  fc.assert(
    fc.property(fc.integer({ min: 200, max: 599 }), body, (status, text) => {
      const verdict = judgeStock(answered(status, text), NOW);
      expect(judgeItemData(answered(status, text), NOW).kind).toMatch(/delivered|retry/);
      expect(verdict.kind === 'acknowledged').toBe(status === 204);
      expect(verdict.kind === 'refused' && verdict.message === '').toBe(false);
    }),
  );
});

test('an acknowledgement is a sign of health', () => {
  expect(healthSignal({ kind: 'acknowledged', status: 204 })).toBe('success');
});
