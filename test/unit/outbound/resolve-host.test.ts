import { createSocket, type Socket } from 'node:dgram';
import { readFile } from 'node:fs/promises';
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
  // An answer to a recursive question: no error, or server failure.
  header.writeUInt16BE(entry ? 0x8180 : 0x8182, 2);
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
