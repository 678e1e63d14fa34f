import { connect, type Sql } from '../../src/platform/db/client';

/** Made when the run's server starts: making one later takes as long as the server's caches live. Idle ones cost nothing. */
export const TEST_NAMESPACES: readonly string[] = Array.from(
  { length: 120 },
  (_, n) => `test-${n + 1}`,
);

/** Jest's workers are processes, so the namespaces in use are counted in their common Postgres. */
export async function createNamespaceSequence(admin: Sql): Promise<void> {
  await admin`create sequence test_namespace`;
}

/** An unused namespace: task queues and workflow ids are the same in every system under test. */
export async function takeNamespace(): Promise<string> {
  const admin = connect(process.env['TEST_DATABASE_ADMIN_URL'] ?? '', { max: 1 });
  try {
    const [row] = await admin<{ n: number }[]>`select nextval('test_namespace') as n`;
    const namespace = TEST_NAMESPACES[(row?.n ?? 0) - 1];
    if (namespace === undefined) throw new Error('all namespaces are taken: raise their number');
    return namespace;
  } finally {
    await admin.end();
  }
}
