import type { TestApi, TestCaller } from '../support/api';
import { prepareUploadRows, type UploadRows } from '../support/upload-rows';

/** What happened, as the API answers it. */
export interface Entry {
  readonly at: string;
  readonly kind: string;
  readonly title: string;
  readonly state: string;
  readonly by: { readonly user_id: string; readonly name: string } | null;
  readonly url: string | null;
}

export interface Shop {
  readonly owner: TestCaller;
  readonly rows: UploadRows;
  readonly storeId: number;
  readonly integrationId: number;
  timeline(query?: string, caller?: TestCaller): Promise<Entry[]>;
}

/** A store of a new user, connected to App B. */
export async function openShop(api: TestApi): Promise<Shop> {
  const owner = await api.user('inventory:create', 'pos:events');
  const rows = await prepareUploadRows(api.sql);
  const { storeId, integrationId } = rows.key;
  await api.sql`
    insert into user_store (store_id, user_id) values (${storeId}::bigint, ${owner.userId})`;
  await api.sql`
    update store_integration set credential_encrypted = '' where store_id = ${storeId}::bigint`;
  await api.sql`
    update integration set base_url = 'http://127.0.0.1:9', client_id = 'c', client_secret_encrypted = ''
    where integration_id = ${integrationId}::bigint`;
  return {
    owner,
    rows,
    storeId,
    integrationId,
    async timeline(query = '', caller = owner) {
      const { status, json } = await caller.get(`/store/${storeId}/timeline${query}`);
      expect(status).toBe(200);
      return json.data;
    },
  };
}

/** The only entry of this kind. */
export function only(entries: readonly Entry[], kind: string): Entry {
  const [entry, ...more] = entries.filter((each) => each.kind === kind);
  if (!entry || more.length > 0) throw new Error(`not one entry of ${kind}`);
  return entry;
}
