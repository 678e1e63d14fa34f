import { setTimeout as sleep } from 'node:timers/promises';
import { expect, psql, type Tried } from './attempts';
import type { Caller } from './caller';

/** While somebody calls all the time; what waited before goes on, what has ended stays as it was. */
export async function upgrade(tried: Tried): Promise<string> {
  const { deployment, caller, neighbours } = tried;
  const before = await putRows(tried);
  await neighbours.control('DELETE', 'receiver/_sandbox/requests');
  await deployment.edit('Dockerfile', (text) => `${text}LABEL release=next\n`);
  const imagesOf = async () => {
    const ids = [
      ...(await deployment.containers('api')),
      ...(await deployment.containers('worker')),
    ];
    return deployment.docker('inspect', '--format', '{{.Image}}', ...ids);
  };
  const old = (await imagesOf()).split('\n');
  const load = callAllTheTime(caller);
  await sleep(2_000);
  let said: string;
  try {
    said = await deployment.shell('sh', ['ops/compose/upgrade.sh'], { timeoutMs: 900_000 });
    // Nothing is left for the next one to replace.
    await deployment.compose('up', '-d');
  } finally {
    await sleep(2_000);
    load.stop();
  }
  const { calls, failures, slowestMs, events } = await load.ended;
  const now = (await imagesOf()).split('\n');
  expect(now.length === 4 && now.every((id) => !old.includes(id)), `not all are new: ${said}`);
  expect(
    failures.length === 0,
    `${failures.length} of ${calls} calls failed: ${failures.slice(0, 3).join(', ')}`,
  );
  await before.goOn();
  const arrived = (await neighbours.control('GET', 'receiver/_sandbox/requests')) as {
    path?: string;
  }[];
  expect(
    JSON.stringify(arrived).length > 0 && arrived.length >= events,
    `${arrived.length} of ${events} events arrived`,
  );
  return `${calls} calls, none failed, the slowest took ${(slowestMs / 1000).toFixed(2)} s`;
}

interface Load {
  stop(): void;
  readonly ended: Promise<{ calls: number; events: number; failures: string[]; slowestMs: number }>;
}

/** Twenty calls a second, half of them events. */
function callAllTheTime(caller: Caller): Load {
  const stopping = new AbortController();
  const failures: string[] = [];
  const seen = { calls: 0, events: 0, slowestMs: 0 };
  const one = async (number: number) => {
    const from = performance.now();
    const isEvent = number % 2 === 0;
    try {
      const status = isEvent
        ? await caller.sell(1, `item-${number}`)
        : (await caller.ask('GET', '/me')).status;
      if (status >= 400) failures.push(String(status));
      else if (isEvent) seen.events += 1;
    } catch (error) {
      failures.push(error instanceof Error ? error.message : String(error));
    }
    seen.slowestMs = Math.max(seen.slowestMs, performance.now() - from);
  };
  const work = async () => {
    const all: Promise<void>[] = [];
    while (!stopping.signal.aborted) {
      all.push(one((seen.calls += 1)));
      await sleep(50);
    }
    await Promise.all(all);
    return { ...seen, failures };
  };
  const ended = work();
  return { stop: () => stopping.abort(), ended };
}

/** Uploads and deliveries in every state that lasts; `goOn` lets go what waits, and rejects unless each ends as it should. */
async function putRows({
  caller,
  neighbours,
  deployment,
}: Tried): Promise<{ goOn(): Promise<void> }> {
  await caller.register(2, 'two');
  const third = await caller.register(3, 'three');
  const uploaded = await caller.send(1);
  await caller.endOf(uploaded, ['uploaded', 'partly_uploaded']);
  const fault = (body: object) => neighbours.control('POST', 'app-b/_sandbox/faults', body);
  await fault({ kind: 'status', status: 422, store_id: 'store-3' });
  const refused = await caller.send(3);
  await caller.endOf(refused, ['failed']);
  await fault({ kind: 'status', status: 503, times: 100_000, store_id: 'store-2' });
  const superseded = await caller.send(2);
  const waiting = await caller.send(2);
  await caller.endOf(superseded, ['superseded']);
  // A receiver that is away, and one that is not to be called.
  await neighbours.control('POST', 'receiver/_sandbox/answers', {
    status: 500,
    times: 100_000,
    path: '/receiver/two',
  });
  await caller.ask('POST', '/inventory/system/webhook/disable', {
    type: 2,
    inventory_system_id: third,
  });
  const held = await Promise.all([caller.sell(2, 'held'), caller.sell(3, 'held')]);
  expect(
    held.every((status) => status === 202),
    `what waits was answered ${held.join(', ')}`,
  );
  const waitingDeliveries = async () =>
    Number(await psql(deployment, 'pos', 'select count(*) from delivery'));
  expect((await waitingDeliveries()) === 2, `${await waitingDeliveries()} deliveries wait`);
  return {
    async goOn() {
      expect((await caller.endOf(waiting, ['queued', 'pending', 'running'])) !== '', 'it waits');
      await neighbours.control('DELETE', 'app-b/_sandbox/faults');
      await neighbours.control('DELETE', 'receiver/_sandbox/answers');
      await caller.ask('POST', '/inventory/system/webhook/enable', {
        type: 2,
        inventory_system_id: third,
      });
      await caller.endOf(uploaded, ['uploaded', 'partly_uploaded']);
      await caller.endOf(refused, ['failed']);
      await caller.endOf(superseded, ['superseded']);
      await caller.endOf(waiting, ['uploaded', 'partly_uploaded']);
      const giveUpAt = performance.now() + 120_000;
      while ((await waitingDeliveries()) > 0) {
        expect(performance.now() < giveUpAt, 'deliveries still wait');
        await sleep(500);
      }
    },
  };
}
