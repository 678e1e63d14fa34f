import { toOutcome, toTokenResult } from '../../src/delivery-apps/http-outcome';
import { reasonText } from '../../src/delivery-apps/reason-text';
import type { OutboundErrorCode, OutboundResult } from '../../src/platform/outbound/types';

const NOW = Date.parse('2026-05-04T10:00:00Z');

function answer(status: number, text = '', headers: Record<string, string> = {}): OutboundResult {
  const body = Buffer.from(text);
  return { kind: 'response', status, headers, body, truncated: false, durationMs: 1 };
}

function failure(code: OutboundErrorCode, sent: 'none' | 'some'): OutboundResult {
  return {
    kind: 'failed',
    code,
    detail: null,
    sent,
    message: 'connect 10.0.0.1:443',
    durationMs: 1,
  };
}

/** The same, but its rest did not come. */
function broken(status: number, text = ''): OutboundResult {
  const trouble = { code: 'reset', detail: null, message: '' } as const;
  return { ...answer(status, text), truncated: true, broken: trouble } as OutboundResult;
}

function outcomeOf(result: OutboundResult) {
  return toOutcome(result, {
    now: NOW,
    secrets: ['s3cret'],
    success: ({ text }) => (text === 'ok' ? { kind: 'live' as const } : undefined),
    reasons: (text) => (text === '' ? [] : [text]),
  });
}

test.each([
  [answer(200, 'ok'), { kind: 'live' }],
  [answer(204, 'ok'), { kind: 'live' }],
  [answer(200, '<html>'), { kind: 'unknown', reason: 'unreadable answer with status 200' }],
  [answer(401), { kind: 'token_expired' }],
  [answer(400, 'No Menus'), { kind: 'rejected', reasons: ['No Menus'] }],
  [answer(404), { kind: 'rejected', reasons: ['status 404'] }],
  [answer(302), { kind: 'rejected', reasons: ['status 302'] }],
  [answer(408), { kind: 'retry', reason: 'status 408' }],
  [broken(200, 'ok'), { kind: 'unknown', reason: 'reset' }],
  [broken(400), { kind: 'rejected', reasons: ['status 400'] }],
  [broken(400, 'No Menus'), { kind: 'rejected', reasons: ['No Menus'] }],
  [broken(401), { kind: 'token_expired' }],
  [broken(503), { kind: 'retry', reason: 'status 503' }],
  [answer(500), { kind: 'retry', reason: 'status 500' }],
  [
    answer(429, '', { 'retry-after': '7' }),
    { kind: 'retry', reason: 'status 429', waits: 'app_busy', afterMs: 7_000 },
  ],
  [
    answer(503, '', { 'retry-after': 'Mon, 04 May 2026 10:00:30 GMT' }),
    { kind: 'retry', reason: 'status 503', afterMs: 30_000 },
  ],
  [
    answer(429, '', { 'retry-after': '999999999' }),
    { kind: 'retry', reason: 'status 429', waits: 'app_busy', afterMs: 86_400_000 },
  ],
  [
    answer(429, '', { 'retry-after': 'soon' }),
    { kind: 'retry', reason: 'status 429', waits: 'app_busy' },
  ],
  [failure('connect_refused', 'none'), { kind: 'retry', reason: 'connect_refused' }],
  [
    { ...failure('connect_failed', 'none'), ours: 'proxy' } as const,
    { kind: 'retry', reason: 'our_side (proxy)', waits: 'our_side' },
  ],
  [failure('timeout', 'some'), { kind: 'unknown', reason: 'timeout' }],
  [failure('address_not_allowed', 'none'), { kind: 'rejected', reasons: ['address_not_allowed'] }],
])('%j becomes %j', (result, outcome) => {
  expect(outcomeOf(result)).toEqual(outcome);
});

test.each([
  [answer(401, 'invalid_client'), { kind: 'refused', reason: 'invalid_client' }],
  [
    answer(400, 'secret s3cret is wrong'),
    { kind: 'refused', reason: 'secret [redacted] is wrong' },
  ],
  [answer(200, 'junk'), { kind: 'retry', reason: 'unreadable answer with status 200' }],
  [failure('reset', 'some'), { kind: 'retry', reason: 'reset' }],
  [
    answer(429, '', { 'retry-after': '2' }),
    { kind: 'retry', reason: 'status 429', afterMs: 2_000 },
  ],
])('a token call with %j becomes %j', (result, expected) => {
  const token = toTokenResult(result, {
    now: NOW,
    secrets: ['s3cret'],
    success: () => undefined,
    reasons: (text) => (text === '' ? [] : [text]),
  });
  expect(token).toEqual(expected);
});

test('a reason is one line of at most 300 characters', () => {
  expect(reasonText('a\r\n\u0000b\u202Ec', [])).toBe('a bc');
  expect(Array.from(reasonText('🍕'.repeat(400), []))).toHaveLength(300);
});

test('a secret is blacked out however it is spelled', () => {
  const secret = 'a"b /+&=';
  const spellings = [secret, encodeURIComponent(secret), 'a%22b+%2F%2B%26%3D', 'a\\"b /+&='];
  for (const spelling of spellings) {
    expect(reasonText(`client_secret=${spelling};`, [secret])).toBe('client_secret=[redacted];');
  }
});
