import { createHash, randomUUID } from 'node:crypto';
import { createStore } from '../../src/admin/stores';
import { createUser } from '../../src/admin/users';
import type { Sql } from '../../src/platform/db/client';
import type { Document } from '../../src/uploads/sql/documents';
import type { HeldKey } from '../../src/http/sql/idempotency';
import { claimNewestUpload, type PublicationKey } from '../../src/uploads/sql/publications';
import { insertUpload } from '../../src/uploads/sql/uploads';
import type { UploadState } from '../../src/uploads/upload';
import { newId, type UploadId, type UserId } from '../../src/platform/ids';
import { createTestDatabase, type TestDatabase } from './database';

/** A store connected to an integration, and uploads as the API would insert them. */
export interface UploadRows {
  readonly key: PublicationKey;
  readonly userId: UserId;
  /** Inserts an upload; resolves with its id. */
  insert(given?: { waitMs?: number; text?: string }): Promise<UploadId>;
  /** The same, as `insertUpload` answers it. */
  tryInsert(given: { uploadId?: UploadId; heldKey?: HeldKey | null }): Promise<boolean | undefined>;
  /** Inserts one and claims it; its attempt may act. It has the items I1 to I3. */
  insertRunning(): Promise<{ uploadId: UploadId; attemptNo: number }>;
  state(uploadId: UploadId): Promise<UploadState | undefined>;
}

/**
 * A database of the test file's own with a store in it, by default a new store for each test. Registers the hooks that
 * fill both objects.
 */
export function useUploadRows({ once = false } = {}): { database: TestDatabase; rows: UploadRows } {
  const database = {} as TestDatabase;
  const rows = {} as UploadRows;
  const prepare = async () => void Object.assign(rows, await prepareUploadRows(database.sql));
  beforeAll(async () => {
    Object.assign(database, await createTestDatabase());
    if (once) await prepare();
  });
  if (!once) beforeEach(prepare);
  afterAll(() => database.drop());
  return { database, rows };
}

export async function prepareUploadRows(sql: Sql): Promise<UploadRows> {
  const { user_id } = await createUser({ sql }, { name: 'A user', permissions: [] });
  const userId = user_id as UserId;
  const { store_id: storeId } = await createStore(
    { sql },
    { name: randomUUID(), country: 'MX', userId },
  );
  const [integration] = await sql<{ integrationId: number }[]>`
    insert into integration (app, name) values ('app-b', 'App B') returning integration_id`;
  const key = { storeId, integrationId: integration?.integrationId ?? 0 };
  await sql`
    insert into store_integration (store_id, integration_id, delivery_id)
    values (${key.storeId}::bigint, ${key.integrationId}::bigint, ${randomUUID()})`;
  const tryInsert = (given: {
    uploadId?: UploadId;
    heldKey?: HeldKey | null;
    waitMs?: number;
    text?: string;
  }) =>
    insertUpload(sql, {
      uploadId: given.uploadId ?? newId('upl'),
      ...key,
      userId,
      requestId: 'request',
      document: documentOf(given.text ?? 'a menu'),
      sentBeside: '{}',
      skipUnchanged: false,
      republishedFrom: null,
      waitMs: given.waitMs ?? 0,
      heldKey: given.heldKey ?? null,
    });
  async function insert(given: { waitMs?: number; text?: string } = {}): Promise<UploadId> {
    const uploadId = newId('upl');
    await tryInsert({ ...given, uploadId });
    return uploadId;
  }
  return {
    key,
    userId,
    insert,
    tryInsert,
    async insertRunning() {
      const uploadId = await insert();
      const claim = await claimNewestUpload(sql, key, 'run');
      if (claim.kind !== 'publish') throw new Error(`not claimed: ${claim.kind}`);
      await sql`
        update menu_upload set item_ids = '{"I1": ["I1"], "I2": ["I2"], "I3": ["I3"]}'
        where upload_id = ${uploadId}`;
      return { uploadId, attemptNo: claim.attemptNo };
    },
    async state(uploadId) {
      const [row] = await sql<{ state: UploadState }[]>`
        select state from menu_upload where upload_id = ${uploadId}`;
      return row?.state;
    },
  };
}

function documentOf(text: string): Document {
  const sha256 = createHash('sha256').update(text).digest('hex');
  return { sha256, contentGzip: Buffer.from(text), size: text.length };
}
