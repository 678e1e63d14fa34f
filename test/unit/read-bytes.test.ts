import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { readBytes } from '../../src/http/body/read-bytes';

const NO_LIMIT = { maxBytes: 1_000, reservation: { resize: () => true, release: () => {} } };

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
