import { APP_C_READERS } from '../../src/delivery-apps/app-c/text-readers';
import { type Bench, openBench } from './app-c-bench';
import { transform } from './app-c-menus';

let bench: Bench;
beforeEach(async () => {
  bench = await openBench();
});
afterEach(() => bench.close());

async function read() {
  return bench.client.readMenu?.({ token: await bench.token(), appStoreId: 'shop-1' });
}

describe('reading the menu of App C', () => {
  it('gives it by the names of an upload, without what the app has no word for', async () => {
    const { payload } = transform();
    const [first] = payload.items;
    const sent = { ...payload, items: [{ ...first, has_wine: 1, size: 2 }] };
    await bench.pollToTheEnd(sent);
    const outcome = await read();
    if (outcome?.kind !== 'read') throw new Error(`The reading ended ${outcome?.kind}.`);
    expect(JSON.parse(outcome.payload.toString())).toEqual(payload);
  });

  it('is possible once a minute', async () => {
    await expect(read()).resolves.toMatchObject({ kind: 'read' });
    bench.passTime(59_000);
    await expect(read()).resolves.toEqual({
      kind: 'retry',
      reason: 'called too often (errno 10005)',
      waits: 'app_busy',
      afterMs: 60_000,
    });
    bench.passTime(2_000);
    await expect(read()).resolves.toMatchObject({ kind: 'read' });
  });

  it.each([
    [10001, { kind: 'unknown', reason: 'scripted (errno 10001)' }],
    [10100, { kind: 'token_expired' }],
    [10101, { kind: 'unknown', reason: 'scripted (errno 10101)' }],
    [10102, { kind: 'token_expired' }],
    [99999, { kind: 'retry', reason: 'scripted (errno 99999)', atMost: 3 }],
  ])('with errno %i is %j', async (errno, outcome) => {
    await bench.queue({ kind: 'errno', errno, route: 'read' });
    await expect(read()).resolves.toEqual(outcome);
  });

  it.each([
    '{}',
    '[]',
    '{"errno":0}',
    '{"errno":0,"data":{"menus":[],"categories":[],"items":null,"modifier_groups":[]}}',
    '{"errno":0,"data":[]}',
  ])('says nothing if the answer is %s', (answer) => {
    expect(APP_C_READERS.list(Buffer.from(answer))?.[2]).toBeUndefined();
  });
});
