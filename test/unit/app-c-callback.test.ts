import { createHash } from 'node:crypto';
import { isSignedByApp, parseCallback } from '../../src/delivery-apps/app-c/callback';

const SECRET = 'app-secret';
// Bare digits above 2^53, as the app writes them: JavaScript's own numbers would end in 00.
const BODY = Buffer.from(
  '{"app_id":1,"app_shop_id":"shop-1","type":"uploadMenuTaskStatus","timestamp":1609845642,' +
    '"data":{"taskID":3458764739727720401,"status":1,"message":"success","operationList":[]}}',
);

describe('the signature of a callback from App C', () => {
  it('is md5 of the raw body and the app secret, in hex of either case', () => {
    const known = '9d77ac2a5f5ab17ecce362df118a25b8';
    expect(isSignedByApp(Buffer.from('{"a":1}'), known, 'secret')).toBe(true);
    expect(isSignedByApp(BODY, sign(BODY), SECRET)).toBe(true);
    expect(isSignedByApp(BODY, sign(BODY).toUpperCase(), SECRET)).toBe(true);
  });

  it.each([
    ['absent', undefined],
    ['empty', ''],
    ['no hex', 'z'.repeat(32)],
    ['too short', sign(BODY).slice(1)],
    ['too long', `${sign(BODY)}0`],
    ['sent twice', `${sign(BODY)}, ${sign(BODY)}`],
    ['of another secret', sign(BODY, 'other')],
    ['of another body', sign(Buffer.from('{}'))],
  ])('does not hold when it is %s', (_, signature) => {
    expect(isSignedByApp(BODY, signature, SECRET)).toBe(false);
  });

  it('covers the received bytes, not their meaning', () => {
    const same = Buffer.from(BODY.toString().replace(',', ', '));
    expect(isSignedByApp(same, sign(BODY), SECRET)).toBe(false);
  });
});

describe('a callback of App C', () => {
  it('names its task with all 64 bits, its shop and the outcome', () => {
    expect(parseCallback(BODY)).toEqual({
      kind: 'task',
      taskId: '3458764739727720401',
      appStoreId: 'shop-1',
      outcome: { kind: 'live' },
    });
  });

  it('is read the same when it is repeated', () => {
    expect(parseCallback(BODY)).toEqual(parseCallback(BODY));
  });

  it.each([
    ['as a long number', '"app_shop_id":3458764739727720999', '', '3458764739727720999'],
    ['as a short number', '"app_shop_id":42', '', '42'],
    ['only inside the data', '"x":1', ',"appShopID":"shop-2"', 'shop-2'],
  ])('may have its shop %s', (_, outside, inside, appStoreId) => {
    const body = `{${outside},"type":"uploadMenuTaskStatus","data":{"taskID":5,"status":4${inside}}}`;
    expect(parseCallback(Buffer.from(body))).toEqual({
      kind: 'task',
      taskId: '5',
      appStoreId,
      outcome: { kind: 'running', status: 'running' },
    });
  });

  it.each([
    '',
    'null',
    '[]',
    '{}',
    '{"type":"imageAuditStatus","app_shop_id":"shop-1","data":{"taskID":5,"status":1}}',
    '{"type":"uploadMenuTaskStatus","app_shop_id":"shop-1"}',
    '{"type":"uploadMenuTaskStatus","app_shop_id":"shop-1","data":{"status":1}}',
    '{"type":"uploadMenuTaskStatus","app_shop_id":"shop-1","data":{"taskID":1.5,"status":1}}',
    '{"type":"uploadMenuTaskStatus","data":{"taskID":5,"status":1}}',
  ])('%j is not about a task', (body) => {
    expect(parseCallback(Buffer.from(body))).toEqual({ kind: 'other' });
  });

  it('with an unknown status is unknown, never a success', () => {
    const body = BODY.toString().replace('"status":1', '"status":9');
    expect(parseCallback(Buffer.from(body))).toMatchObject({ outcome: { kind: 'unknown' } });
  });
});

function sign(body: Buffer, secret = SECRET): string {
  return createHash('md5').update(body).update(secret).digest('hex');
}
