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
/** By these a gateway or a framework answers, and no inventory system. */
const OF_A_GATEWAY = [401, 403, 405, 406, 407, 411, 413, 414, 415, 417, 419, 421, 426, 429, 431];
const OF_ONE_MESSAGE = [413, 414, 431];

const healthOf = (status: number) => (OF_ONE_MESSAGE.includes(status) ? null : 'failure');

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

function stopped(status: number, body = '{"mess'): ReceiverAnswer {
  return { ...answered(status, body), isInterrupted: true };
}

type Unanswered = Extract<ReceiverAnswer, { kind: 'unanswered' }>;

function unanswered(cause: Unanswered['cause'], sent: boolean): Unanswered {
  return { kind: 'unanswered', cause, sent };
}

const retry = (status: number | null, rest: object = {}): object => ({
  kind: 'retry',
  status,
  message: null,
  retryAfterMs: null,
  health: status === null ? 'failure' : healthOf(status),
  ...rest,
});

describe('an event for the platform', () => {
  test.each([200, 201, 202, 204, 299])('%i is a success', (status) => {
    const delivered = { kind: 'delivered', status };
    expect(judgePlatformEvent(answered(status, 'no JSON'), NOW)).toEqual(delivered);
  });

  test.each([300, 301, 400, 404, 422, 499, ...OF_A_GATEWAY, ...TRANSIENT])(
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
    expect(judgePlatformEvent(answered(410, '<html>'), NOW)).toMatchObject({
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
  test.each([200, 201, 204, 299, 400, 402, 409, 412, 418, 422, 423, 424, 428, 451, 499])(
    '%i is delivered',
    (status) => {
      const verdict = judgeItemData(answered(status, { message: 'No.' }), NOW);
      expect(verdict).toEqual({ kind: 'delivered', status });
      expect(healthSignal(verdict)).toBe('success');
    },
  );

  test.each([300, 301, 302, 303, 304, 307, 308, 404, ...OF_A_GATEWAY, ...TRANSIENT])(
    '%i is no delivery: retried, and counted for health unless it is about one message',
    (status) => {
      const verdict = judgeItemData(answered(status), NOW);
      expect(verdict).toEqual(retry(status));
      expect(healthSignal(verdict)).toBe(healthOf(status));
    },
  );

  test('410 disables, and the message waits', () => {
    const verdict = judgeItemData(answered(410), NOW);
    expect(verdict).toEqual(retry(410, { health: 'gone' }));
    expect(healthSignal(verdict)).toBe('gone');
  });

  test('silence after the last byte counts as delivered, and as healthy', () => {
    const verdict = judgeItemData(unanswered('timeout', true), NOW);
    expect(verdict).toEqual({ kind: 'delivered', status: null });
    expect(healthSignal(verdict)).toBe('success');
  });

  test('a deadline that passed before everything was sent is retried', () => {
    expect(judgeItemData(unanswered('timeout', false), NOW)).toEqual(retry(null));
  });

  test.each([true, false])('no connection, TLS failure, reset, early end: retried (%s)', (sent) => {
    expect(judgeItemData(unanswered('network', sent), NOW)).toEqual(retry(null));
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

  test.each([400, 402, 409, 412, 422, 423, 499])('%i with a message is a refusal', (status) => {
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

  test.each([...TRANSIENT, ...OF_A_GATEWAY])('%i is retried, and its message is kept', (status) => {
    const answer = answered(status, { message: 'Busy' });
    const verdict = judgeStock(answer, NOW);
    expect(verdict).toEqual(retry(status, { message: 'Busy' }));
    expect(healthSignal(verdict)).toBe(healthOf(status));
  });

  describe('404 with a message', () => {
    const answer = answered(404, { message: 'Unknown item' });
    const refusal = { kind: 'refused', status: 404, message: 'Unknown item', gone: false };
    const again = { message: 'Unknown item', health: null, againMs: 1_000 };

    test.each([null, { status: 503, message: null }, { status: 404, message: null }])(
      'is tried again after a second, and says nothing of the receiver (before: %j)',
      (before) => {
        expect(judgeStock(answer, NOW, before)).toEqual(retry(404, again));
      },
    );

    test('refuses if the second try says the same', () => {
      const before = { status: 404, message: 'Unknown item' };
      expect(judgeStock(answer, NOW, before)).toEqual(refusal);
    });

    test('that says something else each time goes by the table', () => {
      const before = { status: 404, message: 'no Route matched with those values' };
      expect(judgeStock(answer, NOW, before)).toEqual(retry(404, { message: 'Unknown item' }));
    });
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

  test.each([true, false])('no status is never an acknowledgement (sent: %s)', (sent) => {
    for (const cause of ['timeout', 'network'] as const) {
      const verdict = judgeStock(unanswered(cause, sent), NOW);
      expect(verdict).toEqual(retry(null));
      expect(healthSignal(verdict)).toBe('failure');
    }
  });

  test('our own stop ends nothing that the status has decided, and decides nothing itself', () => {
    expect(judgeStock(stopped(204), NOW)).toEqual({ kind: 'acknowledged', status: 204 });
    expect(judgeStock(stopped(503), NOW)).toEqual(retry(503));
    expect(judgeStock(stopped(409), NOW)).toEqual({ kind: 'interrupted' });
    expect(judgeStock(stopped(409, '{"message":"No."}'), NOW)).toMatchObject({ kind: 'refused' });
    expect(judgeStock(stopped(410), NOW)).toMatchObject({ kind: 'refused', gone: true });
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
