import {
  answerExcerpt,
  type ReceiverAnswer,
  receiverMessage,
  toReceiverAnswer,
} from '../../src/webhooks/attempt/read-answer';

const unanswered = (cause: string) => ({ kind: 'unanswered', cause, sent: true });

describe('from the network to the answer', () => {
  const response = {
    kind: 'response',
    status: 422,
    headers: { 'retry-after': '7' },
    body: Buffer.from('{"message":"no"}'),
    truncated: false,
    durationMs: 1,
  } as const;

  const answered = {
    kind: 'answered',
    status: 422,
    retryAfter: '7',
    secrets: [],
    isInterrupted: false,
  } as const;

  function broken(code: 'reset' | 'aborted'): ReceiverAnswer {
    const trouble = { code, detail: null, message: '' };
    const body = Buffer.from('{"mess');
    return toReceiverAnswer({ ...response, body, truncated: true, broken: trouble }, true, []);
  }

  test('an answer keeps status, text and Retry-After', () => {
    expect(toReceiverAnswer(response, true, [])).toEqual({ ...answered, text: '{"message":"no"}' });
  });

  test('of an answer that broke off there is its status, and what came of the rest', () => {
    expect(broken('reset')).toEqual({ ...answered, text: '{"mess' });
    expect(broken('aborted')).toEqual({ ...answered, text: '{"mess', isInterrupted: true });
  });

  test('our deadline and our shutdown are distinguished from the peer’s failures', () => {
    const failed = {
      kind: 'failed',
      sent: 'some',
      detail: null,
      message: '',
      durationMs: 1,
    } as const;
    const cause = (code: 'timeout' | 'aborted' | 'reset' | 'dns_failed'): ReceiverAnswer =>
      toReceiverAnswer({ ...failed, code }, true, []);
    expect(cause('timeout')).toEqual(unanswered('timeout'));
    expect(cause('aborted')).toEqual(unanswered('interrupted'));
    expect(cause('reset')).toEqual(unanswered('network'));
    expect(cause('dns_failed')).toEqual(unanswered('network'));
  });

  test('the excerpt is the first 1 KB, ends with a whole character and has no NUL', () => {
    expect(answerExcerpt('a\0b', [])).toBe('a\uFFFDb');
    expect(answerExcerpt(`${'x'.repeat(1_023)}é`, [])).toBe('x'.repeat(1_023));
    expect(answerExcerpt('x'.repeat(5_000), [])).toHaveLength(1_024);
    // Across the cut.
    expect(answerExcerpt(`${'x'.repeat(1_022)}secret`, ['secret'])).toBe(`${'x'.repeat(1_022)}[r`);
  });
});

test('a byte order mark is skipped at the start, and nowhere else', () => {
  expect(receiverMessage({ text: '\uFEFF{"message":"no"}', secrets: [] })).toBe('no');
  expect(receiverMessage({ text: '{"message":"a\uFEFFb"}', secrets: [] })).toBe('a\uFEFFb');
  expect(receiverMessage({ text: 'null', secrets: [] })).toBeNull();
  expect(receiverMessage({ text: '{"message"', secrets: [] })).toBeNull();
});
