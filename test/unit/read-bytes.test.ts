import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { Readable } from 'node:stream';
import { createArrivalWatch } from '../../src/http/admission/least-speed';
import { readBytes } from '../../src/http/body/read-bytes';

const UNPRESSED = { isPressed: () => false, arrivals: createArrivalWatch() };
const NO_LIMIT = {
  ...UNPRESSED,
  maxBytes: 1_000,
  reservation: { resize: () => true, release: () => {} },
};

test('a body whose client left before it was read is cut off without waiting', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhalf');
  const [request] = (await once(server, 'request')) as [IncomingMessage];
  request.on('error', () => {});
  const gone = new Promise((resolve) => request.once('close', resolve));
  client.destroy();
  await gone;
  try {
    await expect(readBytes(request, NO_LIMIT)).rejects.toThrow('The request body was cut off.');
  } finally {
    server.close();
  }
});

test.each([
  ['one piece', [300]],
  ['nothing', []],
  ['ever larger pieces', [1, 16_000, 40_000, 700_000]],
  ['tiny pieces', Array.from({ length: 20_000 }, () => 3)],
])('a body in %s is read whole, in memory of its size', async (_name, sizes) => {
  const pieces = sizes.map((size, n) => Buffer.alloc(size, n % 251));
  const whole = Buffer.concat(pieces);
  const kept: number[] = [];
  for (const headers of [{}, { 'content-length': String(whole.length) }]) {
    const request = Object.assign(Readable.from(pieces.map((piece) => Buffer.from(piece))), {
      headers,
    });
    const reservation = { resize: (bytes: number) => kept.push(bytes) > 0, release: () => {} };
    const bytes = await readBytes(request as unknown as IncomingMessage, {
      ...UNPRESSED,
      maxBytes: 1_048_576,
      reservation,
    });
    expect(bytes.equals(whole)).toBe(true);
    expect(kept.at(-1)).toBe(whole.length);
    // Each byte arrives within memory that is at most twice as large, or the first.
    expect(Math.max(...kept)).toBeLessThan(Math.max(512, 2 * whole.length) + 1);
    // Small ones share theirs.
    expect(whole.length < 4_096 || bytes.buffer.byteLength === whole.length).toBe(true);
  }
});
