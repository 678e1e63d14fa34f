import type { SecretBox } from '../../platform/crypto/secrets';
import type { Sql } from '../../platform/db/client';

export function posSecretContext(posId: number): string {
  return `pos_system/secret/${posId}`;
}

export interface PosSettings {
  readonly name: string;
  /** Requests go to paths below it; no trailing slash. */
  readonly baseUrl: string;
  /** `whsec_…`, with which requests to it are signed. */
  readonly secret: string;
}

/** Creates a POS and returns its id; the id is drawn first, because the secret is sealed for it. */
export async function createPos(
  sql: Sql,
  secrets: SecretBox,
  settings: PosSettings,
): Promise<number> {
  const [drawn] = await sql<{ posId: number }[]>`
    select nextval(pg_get_serial_sequence('pos_system', 'pos_id')) as pos_id`;
  if (!drawn) throw new Error('the sequence of POS ids gave no value');
  const { posId } = drawn;
  await sql`
    insert into pos_system (pos_id, name, base_url, secret_encrypted)
    values (${posId}::bigint, ${settings.name}, ${settings.baseUrl},
      ${secrets.encrypt(settings.secret, posSecretContext(posId))}::bytea)`;
  return posId;
}

/** False if there is no such POS. */
export async function changePos(
  sql: Sql,
  secrets: SecretBox,
  posId: number,
  settings: PosSettings,
): Promise<boolean> {
  const rows = await sql`
    update pos_system set name = ${settings.name}, base_url = ${settings.baseUrl},
      secret_encrypted = ${secrets.encrypt(settings.secret, posSecretContext(posId))}::bytea
    where pos_id = ${posId}::bigint
    returning pos_id`;
  return rows.length > 0;
}

/** Makes it the POS of the store, replacing the previous one. False if the store or the POS does not exist. */
export async function attachPos(sql: Sql, storeId: number, posId: number): Promise<boolean> {
  const rows = await sql`
    update store s set pos_id = p.pos_id from pos_system p
    where s.store_id = ${storeId}::bigint and p.pos_id = ${posId}::bigint
    returning s.store_id`;
  return rows.length > 0;
}

export interface PosRow {
  readonly posId: number;
  readonly baseUrl: string;
  readonly secretEncrypted: Buffer;
}

export interface StorePos extends PosRow {
  /** Whether stock decides what is on sale in the store. */
  readonly countsStock: boolean;
  /** Of the store. */
  readonly timeZone: string | null;
}

/** The POS, if it belongs to the store. */
export async function findStorePos(
  sql: Sql,
  storeId: number,
  posId: number,
): Promise<StorePos | undefined> {
  const [row] = await sql<StorePos[]>`
    select p.pos_id, p.base_url, p.secret_encrypted, s.availability_from_stock = 'on' as counts_stock,
      s.time_zone
    from store s join pos_system p using (pos_id)
    where s.store_id = ${storeId}::bigint and p.pos_id = ${posId}::bigint`;
  return row;
}
