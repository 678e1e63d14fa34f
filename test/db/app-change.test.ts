import { randomUUID } from 'node:crypto';
import { updateIntegration } from '../../src/delivery-apps/sql/integrations';
import type { AppName } from '../../src/delivery-apps/types';
import type { Sql, Transaction } from '../../src/platform/db/client';
import { beginPush } from '../../src/uploads/sql/pushes';
import { recordUploadEnd } from '../../src/uploads/sql/upload-end';
import { overtaking } from '../support/lock-waits';
import { UNCHANGED_SETTINGS } from '../support/integration-settings';
import { useUploadRows } from '../support/upload-rows';

const { database, rows } = useUploadRows();

/** In a transaction of the caller's. */
const giveApp = (tx: Transaction, app: AppName) =>
  updateIntegration(tx as Sql, rows.key.integrationId, { ...UNCHANGED_SETTINGS, app });
/** The integration gets another app. */
const changeApp = (tx: Transaction) => giveApp(tx, 'app-a');

/** An upload that was prepared for `app` and is being pushed to it. */
async function push(app: AppName) {
  const attempt = await rows.insertRunning();
  await database.sql`update menu_upload set app = ${app} where upload_id = ${attempt.uploadId}`;
  const call = { callId: randomUUID(), settleMs: null, stepStartsAt: new Date() };
  const destination = JSON.stringify([app]);
  await beginPush(database.sql, { ...attempt, ...call, destination });
  return attempt;
}

const end = (tx: Transaction, attempt: Awaited<ReturnType<typeof push>>) =>
  recordUploadEnd(tx as Sql, attempt, { state: 'uploaded', messages: [] });

async function live() {
  const [row] = await database.sql`
    select live_upload_id, live_document_sha256, live_since from publication
    where store_id = ${rows.key.storeId}::bigint`;
  return row;
}

const NOTHING = { liveUploadId: null, liveDocumentSha256: null, liveSince: null };

test.each([
  ['ends before it', false],
  ['ends while the integration gets another app', true],
])(
  'an upload that %s is not live in the other one, and the next one is',
  async (_, isOvertaken) => {
    const before = await push('app-b');
    if (isOvertaken) await overtaking(database.sql, changeApp, () => end(database.sql, before));
    else
      await overtaking(
        database.sql,
        (tx) => end(tx, before),
        () => changeApp(database.sql),
      );
    expect(await rows.state(before.uploadId)).toBe('uploaded');
    expect(await live()).toEqual(NOTHING);
    const next = await push('app-a');
    await end(database.sql, next);
    expect(await live()).toMatchObject({ liveUploadId: next.uploadId });
  },
);

test('an upload whose integration got another app and its own again is live when it ends', async () => {
  const attempt = await push('app-b');
  await giveApp(database.sql, 'app-a');
  await giveApp(database.sql, 'app-b');
  await end(database.sql, attempt);
  expect(await rows.state(attempt.uploadId)).toBe('uploaded');
  expect(await live()).toMatchObject({ liveUploadId: attempt.uploadId });
});
