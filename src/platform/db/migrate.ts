import type { Sql, Transaction } from './client';
import { BASELINE, type Migration, migrationNames, readMigrations } from './read-migrations';

const UNDEFINED_TABLE = '42P01';

const OF_BEFORE =
  'The database was made before release 1.0.0, and no migration leads from it to this build: ' +
  '`npm start -- --reset` starts the demo anew, without its data; anything else needs a fresh database.';

/**
 * Brings the database to this build's schema and returns the names of the applied migrations. Any number of processes
 * may call it at once: one works, the others wait and find nothing to do. Each migration is a transaction of its own: it
 * locks the few tables that it names, and no longer than it takes, while processes work on all of them. A failing one
 * leaves nothing of itself behind, and the next run goes on with it; statements that cannot run in a transaction
 * (`create index concurrently`) cannot be used. It refuses a database that has another baseline or is newer than the
 * build, and one in which an applied migration was edited afterwards. It fails if a table stays locked for a minute,
 * because it would hold up every other statement on that table. Create the pool with `statementTimeoutMs: 0`.
 */
export async function migrate(sql: Sql, directory = __dirname): Promise<string[]> {
  const migrations = await readMigrations(directory);
  const done: string[] = [];
  for (;;) {
    const name = await sql.begin((tx) => applyNext(tx, migrations));
    if (name === undefined) return done;
    done.push(name);
  }
}

/** Applies the first migration that is missing; its name. */
async function applyNext(
  tx: Transaction,
  migrations: readonly Migration[],
): Promise<string | undefined> {
  await tx`select pg_advisory_xact_lock(hashtextextended('pos-integrations:migrate', 0))`;
  await tx`set local lock_timeout = '60s'`; // not before: another run may well take longer
  // `if not exists` alone would still race in the catalogue; here it runs under the lock.
  await tx`
    create table if not exists schema_migration (
      name text primary key,
      sha256 text not null,
      applied_at timestamptz not null default now()
    )`;
  const [next] = findPending(migrations, await readApplied(tx));
  if (next) await apply(tx, next);
  return next?.name;
}

/**
 * Whether the database is ready for this build. A newer one is too: migrations expand first and contract a release
 * later, so processes of the previous release continue while the next one is rolled out. One of before the baseline is
 * `behind`; `migrate` says what to do with it.
 */
export async function checkSchema(
  sql: Transaction,
  directory = __dirname,
): Promise<'ok' | 'behind' | 'missing'> {
  const names = await migrationNames(directory);
  try {
    const applied = await readApplied(sql);
    return names.every((name) => applied.has(name)) ? 'ok' : 'behind';
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === UNDEFINED_TABLE)
      return 'missing';
    throw error;
  }
}

/** SHA-256 of the applied migrations, by name. */
async function readApplied(sql: Transaction): Promise<Map<string, string>> {
  const rows = await sql<{ name: string; sha256: string }[]>`
    select name, sha256 from schema_migration`;
  return new Map(rows.map(({ name, sha256 }) => [name, sha256]));
}

function findPending(
  migrations: readonly Migration[],
  applied: ReadonlyMap<string, string>,
): Migration[] {
  const baseline = migrations.find(({ name }) => name === BASELINE);
  if (applied.size > 0 && applied.get(BASELINE) !== baseline?.sha256) throw new Error(OF_BEFORE);
  const known = new Set(migrations.map(({ name }) => name));
  for (const name of applied.keys()) {
    if (!known.has(name)) throw new Error(`the database is newer than this build: it has ${name}`);
  }
  return migrations.filter(({ name, sha256 }) => {
    const was = applied.get(name);
    if (was !== undefined && was !== sha256) {
      throw new Error(`migration ${name} was edited after it had been applied`);
    }
    return was === undefined;
  });
}

async function apply(tx: Transaction, { name, files, sha256 }: Migration): Promise<void> {
  for (const { path, text } of files) {
    try {
      await tx.unsafe(text); // without parameters: the simple protocol, which takes many statements at once
    } catch (error) {
      const words = error instanceof Error ? error.message : 'unknown';
      throw new Error(`${path} failed: ${words}`, { cause: error });
    }
  }
  await tx`insert into schema_migration (name, sha256) values (${name}, ${sha256})`;
}
