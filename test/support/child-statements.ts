import { once } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { connect } from '../../src/platform/db/client';
import { collectAll, keptAfter } from './garbage';

/*
 * A child process of its own, because the collector of one that has run other tests has drawn conclusions from those:
 * runs statements of parts, and tells how many bytes they leave.
 */

export interface StatementsPlan {
  readonly databaseUrl: string;
  readonly statements: number;
  /** The bytes of a value of each. */
  readonly bytes: number;
}

// As `run-process.ts` does.
setFlagsFromString('--no-allocation-site-pretenuring');

async function main(): Promise<void> {
  const [plan] = (await once(process, 'message')) as [StatementsPlan];
  const sql = connect(plan.databaseUrl, { max: 1 });
  const run = async (count: number): Promise<void> => {
    for (let n = 0; n < count; n += 1) {
      const part = sql`length(${`${n}`.padEnd(plan.bytes, 'x')}::text)`;
      const more = sql`${part} + ${1}::int`;
      await sql`select ${more} + ${sql`${0}::int`} as n`;
    }
  };
  await run(100);
  collectAll();
  const kept = await keptAfter(() => run(plan.statements));
  await sql.end();
  process.send?.(kept);
  process.disconnect();
}

void main();
