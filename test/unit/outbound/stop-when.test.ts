import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseCidrs } from '../../../src/platform/outbound/addresses';
import { createOutboundClient } from '../../../src/platform/outbound/http-client';

const client = createOutboundClient({ allowCidrs: parseCidrs('127.0.0.0/8'), userAgent: 'test' });
const BYTES = 2_000;

/** What the server does after the head of its answer, whose length is `BYTES`. */
let serve: (socket: Socket) => Promise<void>;
let server: Server;

beforeAll(async () => {
  server = createServer({ noDelay: true }, (socket) => {
    socket.on('error', () => {});
    socket.on('data', () => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${BYTES}\r\n\r\n`);
      void serve(socket);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
});

afterAll(async () => {
  await client.close();
  await new Promise((resolve) => {
    server.close(resolve);
  });
});

/** Stops at `enough` bytes; with the lengths at which it was asked. */
async function read(enough: number) {
  const { port } = server.address() as AddressInfo;
  const lengths: number[] = [];
  const result = await client.request({
    method: 'GET',
    url: `http://127.0.0.1:${port}/`,
    timeoutMs: 20_000,
    stopWhen(head) {
      lengths.push(head.length);
      return head.length >= enough;
    },
  });
  return { result, lengths };
}

it('is asked again only when the answer has grown by a quarter, or a tenth of a second later', async () => {
  serve = async (socket) => {
    for (let sent = 0; sent < BYTES && !socket.destroyed; sent += 1) {
      await new Promise((resolve) => socket.write('x', resolve));
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const startedAt = performance.now();
  const { result, lengths } = await read(Infinity);
  const tenths = (performance.now() - startedAt) / 100;
  expect(result).toMatchObject({ kind: 'response', truncated: false });
  // So many quarters are between one byte and all; every byte was its own packet, or nearly.
  const quarters = Math.ceil(Math.log(BYTES) / Math.log(1.25));
  expect(lengths.length).toBeLessThan(quarters + tenths);
  expect(lengths.length).toBeGreaterThan(5);
});

it('is asked about the last bytes of a peer that then waits', async () => {
  serve = async (socket) => {
    socket.write('x'.repeat(1_000));
    await sleep(50);
    socket.write('x'.repeat(10));
  };
  const { result, lengths } = await read(1_010);
  expect(result).toMatchObject({ kind: 'response', truncated: true });
  expect(result.durationMs).toBeLessThan(10_000);
  expect(lengths).toEqual([1_000, 1_010]);
});
