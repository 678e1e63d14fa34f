import type { Transaction } from './client';

/** Whether rows can be written: not on a standby, a recovering server, or one that was made read-only. */
export async function takesWrites(sql: Transaction): Promise<boolean> {
  const [row] = await sql<{ takesWrites: boolean }[]>`
    select current_setting('transaction_read_only') = 'off' as takes_writes`;
  return row?.takesWrites === true;
}
