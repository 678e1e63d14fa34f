import { attachPos, createPos } from '../inventory/sql/pos-systems';
import { isSecret } from '../platform/crypto/signing';
import { type AdminDeps, AdminError } from './admin-deps';

export async function createPosSystem(
  { sql, secrets }: Pick<AdminDeps, 'sql' | 'secrets'>,
  input: { name: string; baseUrl: string; secret: string },
) {
  if (!/^https?:\/\/[^?#@]+$/.test(input.baseUrl)) {
    throw new AdminError('The base URL must be http(s), without credentials, query or fragment.');
  }
  if (!isSecret(input.secret)) {
    throw new AdminError('The secret must be whsec_ followed by the base64 of 24 to 64 bytes.');
  }
  const posId = await createPos(sql, secrets, {
    ...input,
    baseUrl: input.baseUrl.replace(/\/+$/, ''),
  });
  return { pos_id: String(posId) };
}

export async function attachPosTo({ sql }: Pick<AdminDeps, 'sql'>, storeId: number, posId: number) {
  if (!(await attachPos(sql, storeId, posId))) {
    throw new AdminError(`The store ${storeId} or the POS ${posId} does not exist.`);
  }
  return { pos_id: String(posId) };
}
