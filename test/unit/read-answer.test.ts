import {
  answerExcerpt,
  type ReceiverAnswer,
  receiverMessage,
  toReceiverAnswer,
} from '../../src/webhooks/attempt/read-answer';

const unanswered = (cause: string) => ({ kind: 'unanswered', cause, sent: true, status: 503 });

describe('from the network to the answer', () => {
  const response = {
    kind: 'response',
    status: 422,
    headers: { 'retry-after': '7' },
    body: Buffer.from('{"message":"no"}'),
    truncated: false,
    durationMs: 1,
  } as const;

  const answered = { kind: 'answered', status: 422, retryAfter: '7', secrets: [] } as const;

  test('an answer keeps status, text and Retry-After', () => {
    expect(toReceiverAnswer(response, true, [])).toEqual({ ...answered, text: '{"message":"no"}' });
  });

  test('an answer over the size limit has no text', () => {
    expect(toReceiverAnswer({ ...response, truncated: true }, true, [])).toEqual({
      ...answered,
      text: '',
    });
  });

  test('our deadline and our shutdown are distinguished from the peer’s failures', () => {
    const failed = { kind: 'failed', sent: 'some', message: '', durationMs: 1 } as const;
    const cause = (code: 'timeout' | 'aborted' | 'reset' | 'dns_failed'): ReceiverAnswer =>
      toReceiverAnswer({ ...failed, code, status: 503 }, true, []);
    expect(cause('timeout')).toEqual(unanswered('timeout'));
    expect(cause('aborted')).toEqual(unanswered('interrupted'));
    expect(cause('reset')).toEqual(unanswered('network'));
    expect(cause('dns_failed')).toEqual(unanswered('network'));
  });

  test('the excerpt is the first 1 KB, ends with a whole character and has no NUL', () => {
    expect(answerExcerpt(Buffer.from('a\0b'), [])).toBe('a\uFFFDb');
    expect(answerExcerpt(Buffer.from(`${'x'.repeat(1_023)}é`), [])).toBe('x'.repeat(1_023));
    expect(answerExcerpt(Buffer.from('x'.repeat(5_000)), [])).toHaveLength(1_024);
    expect(answerExcerpt(Buffer.from([0xff, 0x41]), [])).toBe('\uFFFDA');
    // Across the cut.
    expect(answerExcerpt(Buffer.from(`${'x'.repeat(1_022)}secret`), ['secret'])).toBe(
      `${'x'.repeat(1_022)}[r`,
    );
  });
});

test('a byte order mark is skipped at the start, and nowhere else', () => {
  expect(receiverMessage({ text: '\uFEFF{"message":"no"}', secrets: [] })).toBe('no');
  expect(receiverMessage({ text: '{"message":"a\uFEFFb"}', secrets: [] })).toBe('a\uFEFFb');
  expect(receiverMessage({ text: 'null', secrets: [] })).toBeNull();
  expect(receiverMessage({ text: '{"message"', secrets: [] })).toBeNull();
});
