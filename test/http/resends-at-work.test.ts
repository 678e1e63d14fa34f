import { startTestApi } from '../support/api';
import { createLinkedStore, type LinkedStore } from '../support/inventory';
import { countBlocked } from '../support/blocked-statements';
import { until } from '../support/until';

async function counted({ owner, systemId }: LinkedStore) {
  const body = { inventory_system_id: systemId, dry_run: true };
  const { status, headers, json } = await owner.post('/webhooks/deliveries/resend', body);
  return { status, retryAfter: headers.get('retry-after'), message: json.message };
}

test('a user has two resends or counts by filter at work at once, and keeps nobody else from theirs', async () => {
  const api = await startTestApi();
  const linked = await createLinkedStore(api, 'A system');
  const other = await createLinkedStore(api, 'Another system');
  const busy = { status: 503, retryAfter: '1', message: ['The service is busy.'] };
  const untilWaiting = (counts: number) =>
    until(async () => (await countBlocked(api.sql, 'ended_delivery')) === counts);
  const waiting: ReturnType<typeof counted>[] = [];
  await api.sql.begin(async (tx) => {
    await tx`lock table ended_delivery`;
    waiting.push(counted(linked), counted(linked));
    await untilWaiting(2);
    expect(await counted(linked)).toEqual(busy);
    waiting.push(counted(other));
    await untilWaiting(3);
  });
  const answers = await Promise.all(waiting);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect((await counted(linked)).status).toBe(200);
  await api.stop();
});
