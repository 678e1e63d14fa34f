import {
  isRefusedByPooler,
  PostgresAwayError,
  REFUSED_BY_POOLER,
} from './connection/postgres-away-error';
import { sqlState } from './is-data-refused';

/** SQLSTATEs that a person at the keyboard can act on. */
const SENTENCES: Readonly<Record<string, (at: DatabasePlace) => string>> = {
  '28P01': ({ user, variable }) =>
    `Postgres does not let ${user} in: the password of ${variable} is wrong.`,
  '28000': ({ user, host, variable }) =>
    `Postgres at ${host} does not let ${user} in (${variable}).`,
  '3D000': ({ database, host, variable }) =>
    `There is no database ${database} at ${host} (${variable}).`,
  '42501': ({ user }) => `${user} may not do this in the database; use the role that owns it.`,
  '42P01': behind,
  '42703': behind,
  '42883': behind,
};

interface DatabasePlace {
  readonly user: string;
  readonly host: string;
  readonly database: string;
  /** The setting that says where it is. */
  readonly variable: DatabaseVariable;
}

type DatabaseVariable = 'DATABASE_URL' | 'DATABASE_DIRECT_URL';

/**
 * Why Postgres could not do what was asked, as one sentence for the user; null if the error is not from Postgres. It
 * quotes no statements, rows or passwords: those belong in the log of Postgres.
 */
export function postgresSentence(
  error: unknown,
  databaseUrl: string,
  variable: DatabaseVariable = 'DATABASE_URL',
): string | null {
  const at = { ...placeOf(databaseUrl), variable };
  if (isRefusedByPooler(error)) return `At ${at.host} ${REFUSED_BY_POOLER}.`;
  if (error instanceof PostgresAwayError) return awaySentence(error.code, at);
  const state = sqlState(error);
  if (state === null) return null;
  const say = SENTENCES[state];
  return say ? say(at) : `Postgres refused it (SQLSTATE ${state}); its log says more.`;
}

function awaySentence(code: string, { host, variable }: DatabasePlace): string {
  if (code === '57014') return `Postgres at ${host} did not answer in time.`;
  if (code === '40P01' || code === '40001')
    return `Postgres at ${host} did not do it, because something else was in its way; try again.`;
  if (code === '53300') return `Postgres at ${host} has no connection left.`;
  // PgBouncer says so of whatever is wrong with it or behind it.
  if (code === '08P01')
    return `What answers at ${host} is no Postgres that serves us (08P01), a pooler perhaps: its log says why.`;
  return `Postgres cannot be reached at ${host} (${code}); ${variable} says where it is.`;
}

function behind(): string {
  return 'The schema of the database is not that of this version: run the migration first.';
}

function placeOf(databaseUrl: string): Omit<DatabasePlace, 'variable'> {
  try {
    const { username, hostname, port, pathname } = new URL(databaseUrl);
    return {
      user: decodeURIComponent(username) || 'its user',
      host: `${hostname}:${port || 5432}`,
      database: decodeURIComponent(pathname.slice(1)),
    };
  } catch {
    return { user: 'its user', host: 'DATABASE_URL', database: 'of that name' };
  }
}
