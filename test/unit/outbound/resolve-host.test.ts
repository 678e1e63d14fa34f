import { createSocket, type Socket } from 'node:dgram';
import { readFile } from 'node:fs/promises';
import { until } from '../../support/until';
import { createLookup } from '../../../src/platform/outbound/resolve-host';

const A = 1;
const AAAA = 28;

/**
 * The name server's answers by name: addresses by record type, or `silent`; any other name is a failure of the
 * server.
 */
type Zone = Readonly<
  Record<string, { readonly v4?: string; readonly v6?: Buffer; readonly silent?: number[] }>
>;

const ZONE: Zone = {
  'both.test': { v4: '192.0.2.7', v6: Buffer.from('20010db8000000000000000000000007', 'hex') },
  'only-v4.test': { v4: '192.0.2.8' },
  'half-silent.test': { v4: '192.0.2.9', silent: [AAAA] },
  'silent.test': { silent: [A, AAAA] },
};

/** What its zone says of a name `unknown-….test`. */
const NO_SUCH_NAME = 3;

let nameServer: Socket;
let servers: string[];
let asked: string[] = [];

beforeAll(async () => {
  nameServer = createSocket('udp4');
  nameServer.on('message', (query, from) => {
    const { name, type, end } = readQuestion(query);
    asked.push(name);
    const entry = name.startsWith('silent-') ? ZONE['silent.test'] : ZONE[name];
    if (entry?.silent?.includes(type)) return;
    nameServer.send(respond(query, end, type, entry), from.port, from.address);
  });
  await new Promise<void>((resolve) => {
    nameServer.bind(0, '127.0.0.1', resolve);
  });
  servers = [`127.0.0.1:${nameServer.address().port}`];
});

afterAll(() => {
  nameServer.close();
});

beforeEach(() => {
  asked = [];
});

it('gives the addresses of both families, v4 first', async () => {
  const lookup = createLookup({ servers });
  expect(await lookup('both.test')).toEqual(['192.0.2.7', '2001:db8::7']);
  expect(await lookup('only-v4.test')).toEqual(['192.0.2.8']);
});

it('asks once for simultaneous look-ups of one name, and again later', async () => {
  const lookup = createLookup({ servers });
  await Promise.all(Array.from({ length: 20 }, () => lookup('both.test')));
  expect(asked).toEqual(['both.test', 'both.test']);
  await lookup('both.test');
  expect(asked.length).toBe(4);
});

it('does not wait long for the second family', async () => {
  const startedAt = Date.now();
  expect(await createLookup({ servers })('half-silent.test')).toEqual(['192.0.2.9']);
  expect(Date.now() - startedAt).toBeLessThan(3_000);
});

it('fails for a name whose servers are broken, without asking the machine', async () => {
  await expect(createLookup({ servers })('broken.test')).rejects.toMatchObject({
    code: 'ESERVFAIL',
  });
});

it('leaves names without a dot to the machine', async () => {
  expect(await createLookup({ servers })('localhost')).toContain('127.0.0.1');
  expect(asked).toEqual([]);
});

it('name servers that hang hold no thread: files can be read meanwhile', async () => {
  const lookup = createLookup({ servers, timeoutMs: 2_500 });
  const looking = Array.from({ length: 16 }, (_, i) =>
    lookup(`silent-${i}.test`).catch((error: unknown) => error),
  );
  const startedAt = Date.now();
  await readFile(__filename);
  expect(Date.now() - startedAt).toBeLessThan(2_000);
  for (const error of await Promise.all(looking)) expect(error).toMatchObject({ code: 'ETIMEOUT' });
});

const names = (count: number) => Array.from({ length: count }, (_, i) => `unknown-${i}.test`);

describe('names that the servers do not know', () => {
  it('hold at most two threads: a third waits a while, and then the servers are believed', async () => {
    const begun: string[] = [];
    const answers: ((addresses: string[]) => void)[] = [];
    const bySystem = (hostname: string) => {
      begun.push(hostname);
      return new Promise<string[]>((resolve) => answers.push(resolve));
    };
    const lookup = createLookup({ servers, timeoutMs: 300, bySystem });
    const errors: unknown[] = [];
    const looking = names(6).map((name) =>
      lookup(name).catch((error: unknown) => void errors.push(error)),
    );
    await until(() => errors.length >= 4);
    for (const error of errors) expect(error).toMatchObject({ code: 'ENOTFOUND' });
    expect(begun).toHaveLength(2);
    // A name without a dot is asked of no stranger's server.
    const local = lookup('localhost');
    expect(begun).toHaveLength(3);
    for (const answer of answers) answer(['192.0.2.1']);
    expect(await local).toEqual(['192.0.2.1']);
    const found = await Promise.all(looking);
    expect(found.filter((each) => each !== undefined)).toEqual([['192.0.2.1'], ['192.0.2.1']]);
    expect(errors).toHaveLength(4);
  });

  it('are all found if the machine knows them and is quick', async () => {
    let most = 0;
    let now = 0;
    const lookup = createLookup({
      servers,
      async bySystem() {
        now += 1;
        most = Math.max(most, now);
        await new Promise((resolve) => setTimeout(resolve, 5));
        now -= 1;
        return ['192.0.2.1'];
      },
    });
    const found = await Promise.all(names(20).map((name) => lookup(name)));
    expect(found).toEqual(Array.from({ length: 20 }, () => ['192.0.2.1']));
    expect(most).toBe(2);
  });
});

function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

function respond(
  query: Buffer,
  end: number,
  type: number,
  entry: Zone[string] | undefined,
): Buffer {
  const data = type === A ? entry?.v4 && Buffer.from(entry.v4.split('.').map(Number)) : entry?.v6;
  const header = Buffer.from(query.subarray(0, 12));
  const failure = query.includes('unknown-') ? NO_SUCH_NAME : 2;
  // An answer to a recursive question: no error, no such name, or server failure.
  header.writeUInt16BE(0x8180 | (entry ? 0 : failure), 2);
  header.writeUInt16BE(data ? 1 : 0, 6);
  header.writeUInt16BE(0, 10);
  const question = query.subarray(12, end);
  if (!data) return Buffer.concat([header, question]);
  const record = Buffer.alloc(12);
  record.writeUInt16BE(0xc00c, 0);
  record.writeUInt16BE(type, 2);
  record.writeUInt16BE(1, 4);
  record.writeUInt16BE(data.length, 10);
  return Buffer.concat([header, question, record, data]);
}
