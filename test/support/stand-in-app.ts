import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Sql } from '../../src/platform/db/client';
import type { Shop } from './shop';

/** From now on the shop's app is this server of the test's own, not the simulated one. */
export async function replaceApp(
  sql: Sql,
  { integrationId }: Pick<Shop, 'integrationId'>,
  app: Server,
): Promise<void> {
  const { port } = app.address() as AddressInfo;
  await sql`
    update integration set base_url = ${`http://127.0.0.1:${port}`}
    where integration_id = ${integrationId}::bigint`;
}
