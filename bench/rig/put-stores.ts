import { storeCredentialContext } from '../../src/delivery-apps/tokens/app-access';
import type { Deployment } from './deployment';
import type { MenuStore } from './menu-rig';

/** Ids count from here, over all calls. */
let next = 1_000_000;
/** Far below a statement's deadline. */
const TOGETHER = 2_000;

/** Stores with their connection, publication and one upload that is live, all with the same old menu. */
export async function putStores(
  deployment: Pick<Deployment, 'sql' | 'secrets' | 'userId'>,
  integrationId: number,
  count: number,
): Promise<MenuStore[]> {
  const first = next;
  next += count;
  const stores = Array.from({ length: count }, (_, n) => ({
    storeId: first + n,
    appStoreId: `merchant-${first + n}`,
  }));
  await deployment.sql`
    insert into document (sha256, content_gzip, size) values (repeat('0', 64), '', 0)
    on conflict (sha256) do nothing`;
  for (let from = 0; from < count; from += TOGETHER) {
    await putSome(deployment, integrationId, stores.slice(from, from + TOGETHER));
  }
  await deployment.sql.unsafe('analyze');
  return stores;
}

async function putSome(
  { sql, secrets, userId }: Pick<Deployment, 'sql' | 'secrets' | 'userId'>,
  integrationId: number,
  stores: readonly MenuStore[],
): Promise<void> {
  const credentials = stores.map(({ storeId, appStoreId }) =>
    secrets.encrypt(
      JSON.stringify({ merchant: appStoreId }),
      storeCredentialContext(storeId, integrationId),
    ),
  );
  await sql`
    with given as (
      select store_id, delivery_id, decode(credential, 'hex') as credential, ${integrationId}::bigint as integration_id,
        'upl_' || md5(delivery_id) as upload_id
      from unnest(
        ${stores.map((each) => each.storeId)}::bigint[],
        ${stores.map((each) => each.appStoreId)}::text[],
        ${credentials.map((each) => each.toString('hex'))}::text[]) as g (store_id, delivery_id, credential)
    ), made as (
      insert into store (store_id, name, name_key, country_code, created_by)
      select store_id, delivery_id, delivery_id, 'MX', ${userId} from given
    ), granted as (
      insert into user_store (user_id, store_id) select ${userId}, store_id from given
    ), connected as (
      insert into store_integration (store_id, integration_id, delivery_id, credential_encrypted)
      select store_id, integration_id, delivery_id, credential from given
    ), lined as (
      insert into publication (store_id, integration_id, last_seq, claimed_seq, live_upload_id)
      select store_id, integration_id, 1, 1, upload_id from given
    )
    insert into menu_upload (upload_id, store_id, integration_id, seq, user_id, request_id, document_sha256, state,
      finished_at)
    select upload_id, store_id, integration_id, 1, ${userId}, 'r', repeat('0', 64), 'uploaded', now()
    from given`;
}
