import type { Config } from '../../src/platform/config/config';
import type { Sql } from '../../src/platform/db/client';
import { createTemporalClient } from '../../src/platform/temporal/connection';

/** Every row of every table as JSON. */
export async function readDatabase(sql: Sql): Promise<string> {
  const tables = await sql<{ name: string }[]>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'`;
  const texts = await Promise.all(
    tables.map(async ({ name }) => {
      const rows = await sql.unsafe<{ text: string }[]>(
        `select row_to_json(t)::text as text from "${name}" t`,
      );
      return rows.map(({ text }) => text).join('\n');
    }),
  );
  return texts.join('\n');
}

/** Every history of the namespace, its payloads as text. */
export async function readHistories(config: Config): Promise<string> {
  const temporal = createTemporalClient(config);
  const texts: string[] = [];
  for await (const { workflowId, runId } of temporal.workflow.list()) {
    const history = await temporal.workflow.getHandle(workflowId, runId).fetchHistory();
    texts.push(
      JSON.stringify(history, (_key, value: unknown) =>
        value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : value,
      ),
    );
    // `toJSON` of the messages writes bytes as base64.
    for (const [base64] of JSON.stringify(history).matchAll(/[A-Za-z0-9+/]{16,}={0,2}/g)) {
      texts.push(Buffer.from(base64, 'base64').toString('utf8'));
    }
  }
  await temporal.connection.close();
  return texts.join('\n');
}
