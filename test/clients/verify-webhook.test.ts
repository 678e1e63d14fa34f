import { verifyWebhook, WebhookNotVerifiedError } from '../../clients/typescript/src';
import vectors from '../vectors/webhook-signatures.json';

interface Vector {
  readonly secrets: readonly string[];
  readonly now: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

function verify({ secrets, now, headers, body }: Vector) {
  return verifyWebhook({ headers, body, secrets, now: Date.parse(now) });
}

test.each(vectors.valid as unknown as (Vector & { name: string })[])('takes $name', (vector) => {
  expect(verify(vector)).toEqual({
    id: vector.headers['webhook-id'],
    sentAt: new Date(Number(vector.headers['webhook-timestamp']) * 1_000),
    sequence: null,
    message: JSON.parse(vector.body),
  });
});

test.each(vectors.refused as unknown as (Vector & { name: string })[])(
  'refuses $name',
  (vector) => {
    expect(() => verify(vector)).toThrow(WebhookNotVerifiedError);
  },
);

const [known] = vectors.valid as unknown as Vector[];
if (!known) throw new Error('there are no vectors');

test('takes Headers and bytes, and tells the sequence', () => {
  const { secrets, now, body } = known;
  const headers = new Headers({ ...known.headers, 'Webhook-Sequence': '41' });
  const received = { headers, body: Buffer.from(body), secrets, now: Date.parse(now) };
  expect(verifyWebhook(received).sequence).toBe(41);
});

test.each([
  ['another byte in the body', { body: `${known.body} ` }],
  ['another id', { headers: { ...known.headers, 'webhook-id': 'msg_other' } }],
  ['another secret', { secrets: [`whsec_${Buffer.alloc(32).toString('base64')}`] }],
  ['a time before the tolerance', { now: '2023-01-19T00:35:30.000Z' }],
  ['a time after the tolerance', { now: '2023-01-19T00:45:32.000Z' }],
  ['no headers', { headers: {} }],
])('refuses %s', (_what, change: Partial<Vector>) => {
  expect(() => verify({ ...known, ...change })).toThrow(WebhookNotVerifiedError);
});

test.each(['', 'whsec_', 'secret', 'whsec_c2hvcnQ='])('takes %j for no secret', (secret) => {
  expect(() => verify({ ...known, secrets: [secret] })).toThrow(TypeError);
});
