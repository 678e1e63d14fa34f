import { pino } from 'pino';
import type { Log } from '../../../src/platform/observe/log';
import { parseCidrs } from '../../../src/platform/outbound/addresses';
import { createOutboundClient } from '../../../src/platform/outbound/http-client';
import {
  createOwnFaults,
  type OwnFaultKind,
  type OwnFaults,
} from '../../../src/platform/outbound/own-faults';
import { parseProxy } from '../../../src/platform/outbound/proxy';
import { startConnectProxy } from '../../support/connect-proxy';
import { startMisbehavingServer, type MisbehavingServer } from '../../support/misbehaving-server';
import { findFreePort } from '../../../dev/processes/free-port';
import { until } from '../../support/until';

function start() {
  let now = 1_000;
  const lines: { level: number; own_fault: string; detail: string }[] = [];
  const counts: OwnFaultKind[] = [];
  const log = pino({}, { write: (text: string) => void lines.push(JSON.parse(text)) }) as Log;
  const faults = createOwnFaults({
    log,
    onFault: (kind) => counts.push(kind),
    clock: () => now,
  });
  const pass = (ms: number): void => void (now += ms);
  return { faults, lines, counts, pass };
}

const unsent = (detail: string) => ({ code: 'connect_failed', detail }) as const;

/** As a word: by what it is held, if it is. */
function admission(faults: OwnFaults, keys: readonly string[]): string {
  const admitted = faults.admit(keys);
  return admitted.kind === 'held' ? admitted.by : admitted.kind;
}

describe('a failure is ours', () => {
  test.each<[string, OwnFaultKind | null]>([
    ['proxy 401', 'proxy'],
    ['proxy 403', 'proxy'],
    ['proxy 407', 'proxy'],
    ['proxy 429', 'proxy'],
    ['proxy ECONNREFUSED', 'proxy'],
    ['proxy ETIMEDOUT', 'proxy'],
    ['proxy ECONNRESET', 'proxy'],
    ['proxy', 'proxy'],
    // What the proxy says of the peer.
    ['proxy 502', null],
    ['proxy 503', null],
    ['proxy 504', null],
    ['proxy 404', null],
    ['EMFILE', 'resources'],
    ['ENFILE', 'resources'],
    ['ENOBUFS', 'resources'],
    ['ENOMEM', 'resources'],
    ['EADDRNOTAVAIL', 'resources'],
    ['proxy EMFILE', 'resources'],
    ['ECONNREFUSED', null],
    ['EHOSTUNREACH', null],
    ['', null],
  ])('with %p: %p', (detail, kind) => {
    expect(start().faults.judge(unsent(detail), 'a.test')).toBe(kind);
  });
});

describe('what waits', () => {
  test('is the work of the one who met the fault, until a probe after 5 s', () => {
    const { faults, pass } = start();
    faults.failed('proxy', 'a.test', 'proxy 403');
    expect(admission(faults, ['a.test'])).toBe('proxy');
    expect(admission(faults, ['b.test'])).toBe('open');
    pass(5_000);
    expect(admission(faults, ['a.test'])).toBe('probe');
    faults.worked('proxy', 'a.test');
    expect(admission(faults, ['a.test'])).toBe('open');
  });

  test('is everybody’s work when two met it; one probe goes out every 5 s, and its success lets all go on', () => {
    const { faults, pass } = start();
    faults.failed('proxy', 'a.test', 'proxy 407');
    faults.failed('proxy', 'b.test', 'proxy 407');
    expect(admission(faults, ['c.test'])).toBe('proxy');
    for (let probe = 1; probe <= 3; probe += 1) {
      pass(5_000);
      expect(admission(faults, ['c.test'])).toBe('probe');
      expect(admission(faults, ['d.test'])).toBe('proxy');
      pass(4_999);
      expect(admission(faults, ['d.test'])).toBe('proxy');
      faults.failed('proxy', 'c.test', 'proxy 407');
      // Who has just probed is not the next one, if there are others.
      pass(5_000);
      expect(admission(faults, ['c.test'])).toBe('proxy');
      expect(admission(faults, ['d.test'])).toBe('probe');
      faults.failed('proxy', 'd.test', 'proxy 407');
    }
    pass(5_000);
    expect(admission(faults, ['e.test'])).toBe('probe');
    faults.worked('proxy', 'e.test');
    expect(admission(faults, ['f.test'])).toBe('open');
  });

  test('is nobody else’s while the way works for others: two receivers at a refused port stop no third', () => {
    const { faults, pass } = start();
    for (let n = 0; n < 20; n += 1) {
      faults.worked('proxy', 'good.test');
      faults.failed('proxy', 'a.test', 'proxy 403');
      faults.failed('proxy', 'b.test', 'proxy 403');
      expect(admission(faults, ['good.test'])).toBe('open');
      pass(5_000);
    }
  });
});

test('a fault is counted each time, and said once a minute and kind, at warn', () => {
  const { faults, lines, counts, pass } = start();
  for (let n = 0; n < 13; n += 1) {
    faults.failed('proxy', `${n}.test`, 'proxy 407');
    pass(5_000);
  }
  faults.failed('secret', 'sub_1', '');
  expect(counts.filter((kind) => kind === 'proxy')).toHaveLength(13);
  expect(lines.map(({ level, own_fault, detail }) => [level, own_fault, detail])).toEqual([
    [40, 'proxy', 'proxy 407'],
    [40, 'proxy', 'proxy 407'],
    [40, 'secret', ''],
  ]);
});

const failing = (code = 'ESERVFAIL') => Promise.reject(Object.assign(new Error(), { code }));

describe('name servers', () => {
  const failure = { code: 'dns_failed', detail: 'ESERVFAIL' } as const;

  test('that fail for two names are our trouble, for one name the receiver’s', async () => {
    const { faults } = start();
    const lookup = faults.watch(() => failing());
    await lookup('a.test').catch(() => {});
    expect(faults.judge(failure, 'a.test')).toBeNull();
    await lookup('b.test').catch(() => {});
    expect(faults.judge(failure, 'b.test')).toBe('name_servers');
    expect(admission(faults, ['c.test'])).toBe('name_servers');
  });

  test('that say that there is no such name work', async () => {
    const { faults } = start();
    const lookup = faults.watch(() => failing('ENOTFOUND'));
    await lookup('a.test').catch(() => {});
    await lookup('b.test').catch(() => {});
    const unknown = { code: 'dns_failed', detail: 'ENOTFOUND' } as const;
    expect(faults.judge(unknown, 'b.test')).toBeNull();
    expect(admission(faults, ['b.test'])).toBe('open');
  });

  test('that still know another name work: two domains that are down stop no third', async () => {
    const { faults, pass } = start();
    const asked: string[] = [];
    const lookup = faults.watch((name) => {
      asked.push(name);
      return name === 'good.test' ? Promise.resolve(['192.0.2.1']) : failing();
    });
    await lookup('good.test');
    pass(60_000);
    await lookup('a.test').catch(() => {});
    await until(() => asked.filter((name) => name === 'good.test').length === 2);
    await lookup('b.test').catch(() => {});
    expect(faults.judge(failure, 'b.test')).toBeNull();
    expect(admission(faults, ['good.test'])).toBe('open');
  });

  test('that do not know any more what they knew are our trouble at once', async () => {
    const { faults } = start();
    let isUp = true;
    const lookup = faults.watch(() =>
      isUp ? Promise.resolve(['192.0.2.1']) : failing('ETIMEOUT'),
    );
    await lookup('good.test');
    isUp = false;
    await lookup('a.test').catch(() => {});
    const late = { code: 'dns_failed', detail: 'ETIMEOUT' } as const;
    await until(() => faults.judge(late, 'a.test') === 'name_servers');
    isUp = true;
    await lookup('good.test');
    expect(faults.judge(late, 'a.test')).toBeNull();
  });
});

describe('the client', () => {
  let server: MisbehavingServer;
  beforeAll(async () => {
    server = await startMisbehavingServer();
  });
  afterAll(() => server.close());

  function clientThrough(url: string, timeoutMs = 5_000) {
    const { faults } = start();
    const client = createOutboundClient({
      allowCidrs: parseCidrs('127.0.0.0/8'),
      userAgent: 'test',
      proxy: parseProxy(url),
      ownFaults: faults,
    });
    const get = () => client.request({ method: 'GET', url: server.url('hello'), timeoutMs });
    return { faults, client, get };
  }

  test('says that a proxy which wants a password is our trouble, until it takes us', async () => {
    const proxy = await startConnectProxy('name:word');
    const without = clientThrough(`http://127.0.0.1:${proxy.port}`);
    expect(await without.get()).toMatchObject({ code: 'connect_failed', ours: 'proxy' });
    expect(admission(without.faults, ['127.0.0.1'])).toBe('proxy');
    await without.client.close();
    const known = clientThrough(`http://name:word@127.0.0.1:${proxy.port}`);
    known.faults.failed('proxy', '127.0.0.1', 'proxy 407');
    expect(await known.get()).toMatchObject({ status: 200 });
    expect(admission(known.faults, ['127.0.0.1'])).toBe('open');
    proxy.behave('refuse');
    await known.client.close();
    const refused = clientThrough(`http://name:word@127.0.0.1:${proxy.port}`);
    const unreached = await refused.get();
    expect(unreached).toMatchObject({ code: 'connect_failed' });
    expect(unreached).not.toHaveProperty('ours');
    await refused.client.close();
    await proxy.close();
  });

  test('says that a proxy which is not there is our trouble', async () => {
    const { client, get } = clientThrough(`http://127.0.0.1:${await findFreePort()}`);
    expect(await get()).toMatchObject({ sent: 'none', ours: 'proxy' });
    await client.close();
  });

  test('a proxy that hangs after it was asked may wait for the peer', async () => {
    const proxy = await startConnectProxy();
    proxy.behave('hang');
    const { client, get } = clientThrough(`http://127.0.0.1:${proxy.port}`, 300);
    const late = await get();
    expect(late).toMatchObject({ code: 'connect_timeout' });
    expect(late).not.toHaveProperty('ours');
    await client.close();
    await proxy.close();
  });
});
