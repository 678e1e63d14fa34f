import type { Sql } from '../../src/platform/db/client';
import type { PlatformEvent } from '../../src/webhooks/platform-events';
import type { TestCaller } from './api';
import { RECEIVER_URL } from './inventory';

/** An event as it was written for one user. */
export interface WrittenEvent {
  readonly type: string;
  readonly timestamp: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- events are asserted on, field by field
  readonly data: any;
}

/** The user's webhook for events; its secret. */
export async function wantEvents(
  user: TestCaller,
  { url = RECEIVER_URL, events }: { url?: string; events?: readonly PlatformEvent[] } = {},
): Promise<string> {
  const made = await user.post('/events/webhook/manage', { url, ...(events ? { events } : {}) });
  if (made.status !== 200) throw new Error(made.text);
  return made.json.data.secret;
}

/** The events written for the user, in the order in which they go out. */
export async function eventsOf(
  sql: Sql,
  user: Pick<TestCaller, 'userId'>,
): Promise<WrittenEvent[]> {
  const rows = await sql<{ payload: WrittenEvent }[]>`
    select d.payload from subscription s join any_delivery d using (subscription_id)
    where s.user_id = ${user.userId} order by d.due_at, d.sequence`;
  return rows.map(({ payload }) => payload);
}
