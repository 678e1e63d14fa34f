import { listenTo } from '../../src/delivery-apps/listening-client';
import type { OutboundClient, OutboundResult } from '../../src/platform/outbound/types';

const REQUEST = { method: 'GET', url: 'https://app.example/', timeoutMs: 1 } as const;

function clientThatGets(result: OutboundResult): OutboundClient {
  return { request: async () => result, close: async () => {} };
}

function response(status: number, text: string): Extract<OutboundResult, { kind: 'response' }> {
  const body = Buffer.from(text);
  return { kind: 'response', status, headers: {}, body, truncated: false, durationMs: 1 };
}

test('without a request there is no answer', () => {
  expect(listenTo(clientThatGets(response(200, ''))).lastAnswer([])).toBeNull();
});

test('an answer is stored as one line without echoed secrets', async () => {
  const listening = listenTo(clientThatGets(response(400, 'Bad\n  token "a/b", a%2Fb')));
  await listening.http.request(REQUEST);
  expect(listening.lastAnswer(['a/b'])).toEqual({
    status: 400,
    error: null,
    body: 'Bad token "[redacted]", [redacted]',
  });
});

test('of a long answer the first 2,000 characters are kept', async () => {
  const listening = listenTo(clientThatGets(response(500, 'é'.repeat(100_000))));
  await listening.http.request(REQUEST);
  expect(listening.lastAnswer([])?.body).toBe('é'.repeat(2_000));
});

test('of an answer that broke off, status and reason are stored, and what came of it', async () => {
  const listening = listenTo(
    clientThatGets({
      ...response(200, 'Half an ans'),
      truncated: true,
      broken: { code: 'timeout', detail: null, message: 'app.example: timeout' },
    }),
  );
  await listening.http.request(REQUEST);
  expect(listening.lastAnswer([])).toEqual({
    status: 200,
    error: 'timeout',
    body: 'Half an ans',
  });
});
