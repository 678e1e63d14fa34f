import { randomBytes } from 'node:crypto';
import { activateUser, endUser } from '../deletions/sql/deletions';
import {
  changePermissions,
  findUserName,
  insertToken,
  insertUser,
  listTokens,
  listUsers,
  type Permission,
  PERMISSIONS,
  revokeToken,
  type TokenRow,
} from '../users/sql/users';
import { makeSignInLink } from '../users/sign-in-link';
import { tokenSha256 } from '../users/token-sha256';
import { newId, type UserId } from '../platform/ids';
import { type AdminDeps, AdminError } from './admin-deps';

type Deps = Pick<AdminDeps, 'sql'>;

export async function createUser(
  { sql }: Deps,
  input: { name: string; permissions: readonly string[] },
) {
  const permissions = input.permissions.map(parsePermission);
  const userId = newId('usr');
  await insertUser(sql, { userId, name: input.name, permissions });
  return { user_id: userId, name: input.name, permissions };
}

/** Users on one page; the next page is those before its last one (`before`). */
const USERS_SHOWN = 100;

/** The newest users first; those with `part` in their names, whatever its case. */
export async function showUsers(
  { sql }: Deps,
  { part = null, before = null }: { part?: string | null; before?: string | null } = {},
) {
  const users = await listUsers(sql, { part, before, limit: USERS_SHOWN });
  return users.map(({ userId, name, permissions, state }) => ({
    user_id: userId,
    name,
    permissions,
    state,
  }));
}

function parsePermission(text: string): Permission {
  const found = PERMISSIONS.find((each) => each === text);
  if (!found) {
    throw new AdminError(
      `The permission ${text} does not exist; there are ${PERMISSIONS.join(', ')}.`,
    );
  }
  return found;
}

export async function changeUserState(
  { sql }: Deps,
  userId: string,
  state: 'deactivated' | 'deleted',
) {
  const user = await endUser(sql, userId, state);
  if (!user) throw await noSuchUser(sql, userId);
  return { user_id: user.userId, name: user.name, permissions: user.permissions };
}

/** Gives permissions and takes others; every process sees it within 5 s. */
export async function changeUserPermissions(
  { sql }: Deps,
  userId: string,
  { add, remove }: { readonly add: readonly string[]; readonly remove: readonly string[] },
) {
  const change = { add: add.map(parsePermission), remove: remove.map(parsePermission) };
  const user = await changePermissions(sql, userId, change);
  if (!user) throw await noSuchUser(sql, userId);
  return { user_id: user.userId, name: user.name, permissions: user.permissions };
}

/** Takes back `user deactivate`; the result names the state of the webhook for events. */
export async function activateAgain({ sql }: Deps, userId: string) {
  const user = await activateUser(sql, userId);
  if (!user) throw await noSuchUser(sql, userId);
  const { name, permissions, eventsWebhook } = user;
  return { user_id: user.userId, name, permissions, events_webhook: eventsWebhook };
}

async function noSuchUser(sql: Deps['sql'], userId: string): Promise<AdminError> {
  const exists = (await findUserName(sql, userId as UserId)) !== undefined;
  return new AdminError(`The user ${userId} ${exists ? 'was deleted' : 'does not exist'}.`);
}

/** Creates a token for a user (or stores the given one); it is never shown again. */
export async function createToken(
  { sql }: Deps,
  input: { userId: string; expiresInSeconds: number | null; token?: string },
) {
  const token = input.token ?? randomBytes(32).toString('base64url');
  const tokenId = newId('tok');
  const expiresAt =
    input.expiresInSeconds === null ? null : new Date(Date.now() + input.expiresInSeconds * 1000);
  const sha256 = tokenSha256(token);
  if (!(await insertToken(sql, { tokenId, userId: input.userId, sha256, expiresAt }))) {
    throw new AdminError(`The user ${input.userId} does not exist.`);
  }
  return { token_id: tokenId, token, expires_at: expiresAt };
}

/** Makes a link by which an active user signs in to the console, once and within 15 minutes. */
export async function createSignInLink(
  { sql, settings: { PUBLIC_URL: publicUrl } }: Pick<AdminDeps, 'sql' | 'settings'>,
  userId: string,
) {
  if (publicUrl === null) {
    throw new AdminError(
      'The setting PUBLIC_URL is missing: the origin at which people reach the console, such as https://pos.example.com.',
    );
  }
  const link = await makeSignInLink(sql, { publicUrl, userId, madeBy: null });
  if (!link) throw new AdminError(`The user ${userId} does not exist or is not active.`);
  return { url: link.url, expires_at: link.expiresAt };
}

export async function showTokens({ sql }: Deps, userId: string) {
  if ((await findUserName(sql, userId as UserId)) === undefined) {
    throw new AdminError(`The user ${userId} does not exist.`);
  }
  return (await listTokens(sql, userId)).map(renderToken);
}

export async function endToken({ sql }: Deps, tokenId: string) {
  const token = await revokeToken(sql, tokenId);
  if (!token) throw new AdminError(`The token ${tokenId} does not exist.`);
  return renderToken(token);
}

function renderToken(token: TokenRow) {
  return {
    token_id: token.tokenId,
    created_at: token.createdAt,
    expires_at: token.expiresAt,
    revoked_at: token.revokedAt,
  };
}
