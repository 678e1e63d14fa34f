import { setTimeout as sleep } from 'node:timers/promises';
import type { ReceivedRequest } from '../../sandbox/receiver/received-requests';
import { expect, psql, type Tried } from './attempts';
import type { Caller } from './caller';

/** While somebody calls all the time; what waited before goes on, what has ended stays as it was. */
export async function upgrade(tried: Tried): Promise<string> {
  const { deployment, caller, neighbours } = tried;
  const rows = await putRows(tried);
  await neighbours.control('DELETE', 'receiver/_sandbox/requests');
  await deployment.edit('Dockerfile', (text) => `${text}LABEL release=next\n`);
  const imagesOf = async () => {
    const ids = [
      ...(await deployment.containers('api')),
      ...(await deployment.containers('worker')),
    ];
    return (await deployment.docker('inspect', '--format', '{{.Image}}', ...ids)).split('\n');
  };
  const old = await imagesOf();
  let said = '';
  const load = await callAllTheTime(caller, async () => {
    said = await deployment.shell('sh', ['ops/compose/upgrade.sh'], { timeoutMs: 900_000 });
    // Nothing is left for the next one to replace.
    await deployment.compose('up', '-d');
  });
  const now = await imagesOf();
  expect(now.length === 4 && now.every((id) => !old.includes(id)), `not all are new: ${said}`);
  load.expectNoFailure();
  await rows.goOn();
  await rows.arrived(load.events);
  return `${load.calls} calls, none failed, the slowest took ${(load.slowestMs / 1000).toFixed(2)} s`;
}

export interface Load {
  readonly calls: number;
  /** Events that were accepted. */
  readonly events: number;
  readonly slowestMs: number;
  /** From the first call that failed to the end of the last one. */
  readonly gapMs: number;
  expectNoFailure(): void;
}

/** Twenty calls a second, half of them events, from two seconds before the work until two seconds after it. */
export async function callAllTheTime(caller: Caller, work: () => Promise<unknown>): Promise<Load> {
  const failures: { from: number; to: number; what: string }[] = [];
  const seen = { calls: 0, events: 0, slowestMs: 0 };
  const one = async (isEvent: boolean, id: string) => {
    const from = performance.now();
    const status = await (
      isEvent ? caller.sell(1, id) : caller.ask('GET', '/me').then((answer) => answer.status)
    ).catch((error: unknown) => (error instanceof Error ? error.message : String(error)));
    const to = performance.now();
    if (typeof status === 'string' || status >= 400)
      failures.push({ from, to, what: String(status) });
    else if (isEvent) seen.events += 1;
    seen.slowestMs = Math.max(seen.slowestMs, to - from);
  };
  const over = new AbortController();
  const calls = (async () => {
    const all: Promise<void>[] = [];
    while (!over.signal.aborted) {
      seen.calls += 1;
      all.push(one(seen.calls % 2 === 0, `item-${seen.calls}`));
      await sleep(50);
    }
    await Promise.all(all);
  })();
  try {
    await sleep(2_000);
    await work();
    await sleep(2_000);
  } finally {
    over.abort();
    await calls;
  }
  const first = Math.min(...failures.map(({ from }) => from));
  const last = Math.max(...failures.map(({ to }) => to));
  return {
    ...seen,
    gapMs: failures.length === 0 ? 0 : last - first,
    expectNoFailure: () =>
      expect(
        failures.length === 0,
        `${failures.length} of ${seen.calls} calls failed, over ${Math.round(last - first)} ms: ${failures
          .slice(0, 3)
          .map(({ what }) => what)
          .join(', ')}`,
      ),
  };
}

interface Rows {
  /** A console session more. */
  add(): Promise<void>;
  /** Lets go what waits; rejects unless each ends as it should, and all is there that was. */
  goOn(): Promise<void>;
  /** Rejects unless the receiver has got this many events of the first store. */
  arrived(events: number): Promise<void>;
}

/**
 * A store whose name has accents, uploads and deliveries in every state that lasts, items off sale, sessions of the
 * console.
 */
export async function putRows({ caller, neighbours, deployment }: Tried): Promise<Rows> {
  await caller.register(2, 'two');
  const third = await caller.register(3, 'three');
  await caller.expecting('PATCH', '/store/3', { name: 'El Ñandú' }, 200);
  const uploaded = await caller.send(1);
  await caller.endOf(uploaded, ['uploaded', 'partly_uploaded']);
  const off = { external_id: 'margherita', available: false };
  await caller.expecting('POST', '/menus/availability', { store_id: 1, items: [off] }, 200);
  const sessions = [await caller.signIn()];
  const fault = (body: object) => neighbours.control('POST', 'app-b/_sandbox/faults', body);
  await fault({ kind: 'status', status: 422, store_id: 'store-3' });
  const refused = await caller.send(3);
  await caller.endOf(refused, ['failed']);
  await fault({ kind: 'status', status: 503, times: 100_000, store_id: 'store-2' });
  const superseded = await caller.send(2);
  const waiting = await caller.send(2);
  await caller.endOf(superseded, ['superseded']);
  // A receiver that refuses one, then is away; and one that is not to be called.
  const answers = (body: object) =>
    neighbours.control('POST', 'receiver/_sandbox/answers', { ...body, path: '/receiver/two' });
  await answers({ status: 409, body: { message: 'No such item.' }, times: 1 });
  const refusal = await caller.sell(2, 'refused');
  await answers({ status: 500, times: 100_000 });
  await caller.ask('POST', '/inventory/system/webhook/disable', {
    type: 2,
    inventory_system_id: third,
  });
  const held = [refusal, await caller.sell(2, 'held'), await caller.sell(3, 'held')];
  expect(held.join() === '409,202,202', `what waits was answered ${held.join(', ')}`);
  const count = async (table: string) =>
    Number(await psql(deployment, 'pos', `select count(*) from ${table}`));
  expect((await count('delivery')) === 2, `${await count('delivery')} deliveries wait`);
  const endedBefore = await count('ended_delivery');
  return {
    async add() {
      sessions.push(await caller.signIn());
    },
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
      // The pauses before an app is asked again grow to this long while the upgrade lasts.
      await caller.endOf(waiting, ['uploaded', 'partly_uploaded'], 360_000);
      const giveUpAt = performance.now() + 120_000;
      while ((await count('delivery')) > 0) {
        expect(performance.now() < giveUpAt, 'deliveries still wait');
        await sleep(500);
      }
      expect((await count('ended_delivery')) >= endedBefore + 2, 'deliveries that ended are gone');
      for (const cookie of sessions)
        expect(await caller.isSignedIn(cookie), 'a session of the console has ended');
      const found = JSON.stringify((await caller.ask('GET', '/search?q=nandu')).data);
      expect(found.includes('El Ñandú'), `the search for a store finds ${found}`);
      const itemsOff = JSON.stringify((await caller.ask('GET', '/menus/availability')).data);
      expect(itemsOff.includes('margherita'), `off sale is ${itemsOff}`);
    },
    async arrived(events) {
      const requests = await neighbours.control('GET', 'receiver/_sandbox/requests');
      const ofStore = (requests as ReceivedRequest[]).filter(({ url }) => url === '/receiver/one');
      const { size } = new Set(ofStore.map(({ headers }) => headers['webhook-id']));
      expect(size >= events, `${size} of ${events} events arrived`);
    },
  };
}
