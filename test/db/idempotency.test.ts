import { randomUUID } from 'node:crypto';
import {
  type HeldKey,
  keepAnswer,
  releaseKey,
  removeExpiredKeys,
  renewKeys,
  takeKey,
} from '../../src/http/sql/idempotency';
import { newId } from '../../src/platform/ids';
import { useUploadRows } from '../support/upload-rows';

const { database, rows } = useUploadRows({ once: true });

/** What a request with this key would hold; each call is another request. */
const request = (key: string): HeldKey => ({
  userId: rows.userId,
  method: 'POST',
  path: '/api/v1/menus/upload',
  key,
  owner: randomUUID(),
});
const take = (heldKey: HeldKey, body = 'body') => takeKey(database.sql, heldKey, body);
const expire = (key: string) => database.sql`
  update idempotency_key set lease_until = now() where key = ${key}`;
const passADay = (key: string) => database.sql`
  update idempotency_key set created_at = created_at - interval '25 hours' where key = ${key}`;

test('of many simultaneous requests with one key, exactly one holds it', async () => {
  const results = await Promise.all(Array.from({ length: 20 }, () => take(request('at once'))));
  const kinds = results.map((each) => each.kind);
  expect(kinds.filter((kind) => kind === 'held')).toHaveLength(1);
  expect(kinds.filter((kind) => kind === 'running')).toHaveLength(19);
});

test('another body with the same key is detected, before and after the answer', async () => {
  const heldKey = request('bodies');
  await take(heldKey);
  expect(await take(request('bodies'), 'other')).toEqual({ kind: 'other_body' });
  await keepAnswer(database.sql, heldKey, 200, Buffer.from('x'));
  expect(await take(request('bodies'), 'other')).toEqual({ kind: 'other_body' });
});

test('users, paths and methods do not share keys', async () => {
  const heldKey = request('shared');
  await take(heldKey);
  expect(await take({ ...request('shared'), path: '/else' })).toMatchObject({ kind: 'held' });
  expect(await take({ ...request('shared'), method: 'PUT' })).toMatchObject({ kind: 'held' });
});

test('every later request gets the stored answer', async () => {
  const heldKey = request('kept');
  await take(heldKey);
  await keepAnswer(database.sql, heldKey, 409, Buffer.from('answer'));
  expect(await take(request('kept'))).toEqual({
    kind: 'kept',
    status: 409,
    answerEncrypted: Buffer.from('answer'),
  });
});

describe('when the process that held a key is dead', () => {
  test('its key is free after the lease, not earlier', async () => {
    await take(request('dead'));
    expect(await take(request('dead'))).toEqual({ kind: 'running' });
    await expire('dead');
    expect(await take(request('dead'))).toEqual({ kind: 'held', boundId: null });
  });

  test('the next holder continues with the row that the first one wrote', async () => {
    const heldKey = request('bound');
    const uploadId = newId('upl');
    await take(heldKey);
    expect(await rows.tryInsert({ uploadId, heldKey })).toBe(false);
    await expire('bound');
    expect(await take(request('bound'))).toEqual({ kind: 'held', boundId: uploadId });
  });

  test('that is ten seconds after its last renewal at the latest', async () => {
    const heldKey = request('renewed');
    await take(heldKey);
    for (const renew of [false, true]) {
      if (renew) await renewKeys(database.sql, [heldKey, request('another')]);
      const [row] = await database.sql`
        select extract(epoch from lease_until - now())::float as seconds
        from idempotency_key where key = 'renewed'`;
      expect(row?.['seconds']).toBeGreaterThan(8);
      expect(row?.['seconds']).toBeLessThanOrEqual(10);
    }
  });

  test('and it was only slow, it can no longer write a row, store an answer or renew', async () => {
    const [slow, next] = [request('slow'), request('slow')];
    await take(slow);
    await expire('slow');
    await take(next);
    expect(await rows.tryInsert({ heldKey: slow })).toBeUndefined();
    await keepAnswer(database.sql, slow, 200, Buffer.from('x'));
    await expire('slow');
    await renewKeys(database.sql, [slow, request('never taken')]);
    expect(await take(request('slow'))).toEqual({ kind: 'held', boundId: null });
  });
});

test('many leases are renewed by one statement', async () => {
  const heldKeys = Array.from({ length: 500 }, (_, n) => request(`many ${n}`));
  await Promise.all(heldKeys.map((each) => take(each)));
  await database.sql`update idempotency_key set lease_until = now() where key like 'many %'`;
  await renewKeys(database.sql, heldKeys);
  const held = await database.sql`
    select from idempotency_key where key like 'many %' and lease_until > now() + interval '5 s'`;
  expect(held).toHaveLength(500);
});

test('one key makes one row, even when its request is carried out twice', async () => {
  const heldKey = request('twice');
  await take(heldKey);
  const inserted = await Promise.all([rows.tryInsert({ heldKey }), rows.tryInsert({ heldKey })]);
  expect(inserted.filter((each) => each === undefined)).toHaveLength(1);
  const made = await database.sql`
    select from idempotency_key join menu_upload on upload_id = bound_id where key = 'twice'`;
  expect(made).toHaveLength(1);
});

test('after an answer that is not stored, the next try starts at once and continues with the bound id', async () => {
  const [unbound, bound] = [request('unbound'), request('bound again')];
  await take(unbound);
  await releaseKey(database.sql, unbound);
  expect(await take(request('unbound'), 'another body')).toMatchObject({ kind: 'held' });

  const uploadId = newId('upl');
  await take(bound);
  await rows.tryInsert({ uploadId, heldKey: bound });
  await releaseKey(database.sql, bound);
  expect(await take(request('bound again'))).toEqual({ kind: 'held', boundId: uploadId });
});

describe('after 24 hours', () => {
  test('a key can be used again, for any body', async () => {
    const heldKey = request('old');
    await take(heldKey);
    await rows.tryInsert({ heldKey });
    await keepAnswer(database.sql, heldKey, 200, Buffer.from('x'));
    await passADay('old');
    expect(await take(request('old'), 'another body')).toEqual({ kind: 'held', boundId: null });
    expect(await take(request('old'), 'another body')).toEqual({ kind: 'running' });
  });

  test('the sweep removes it', async () => {
    await take(request('swept'));
    await take(request('young'));
    await passADay('swept');
    await removeExpiredKeys(database.sql, 100);
    const left = await database.sql`
      select key from idempotency_key where key in ('swept', 'young')`;
    expect(left).toEqual([{ key: 'young' }]);
  });
});
