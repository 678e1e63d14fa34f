import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { inOrder } from '../../src/http/admission/in-order';
import { until } from '../support/until';

let server: Server;
let sockets: Socket[];

/** A server that answers only when told to, and the connection to it. */
async function serve(): Promise<{
  client: Socket;
  held: ServerResponse[];
  serverSide: () => Socket;
}> {
  const held: ServerResponse[] = [];
  let serverSide: Socket | undefined;
  server = createServer(inOrder((_request, response) => void held.push(response)));
  server.on('connection', (socket) => (serverSide = socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  sockets = [client];
  await once(client, 'connect');
  return { client, held, serverSide: () => serverSide as Socket };
}

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

const REQUEST = `GET /health/live HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(1_000)}\r\n\r\n`;

test('past eight requests that wait, a connection is not read, until answers have left', async () => {
  const { client, held, serverSide } = await serve();
  const sent = REQUEST.repeat(2_000);
  client.write(sent);
  await until(() => held.length === 1);
  // Whatever was read in one piece, and no more: also where Node resumes by itself, which each answer makes it do.
  for (let answered = 0; answered < 5; answered++) {
    held[answered]?.end('x'.repeat(100_000));
    await until(() => held.length > answered + 1);
    expect(serverSide().bytesRead).toBeLessThan(300_000);
  }
  let statuses = 0;
  client.on('data', (piece) => (statuses += String(piece).split('HTTP/1.1 200').length - 1));
  const answering = setInterval(() => held.splice(0).forEach((response) => response.end()), 1);
  await until(() => serverSide().bytesRead === sent.length);
  clearInterval(answering);
  expect(statuses).toBeGreaterThan(5);
});

test('requests are answered one at a time, in their order', async () => {
  const { client, held } = await serve();
  client.write(REQUEST.repeat(20));
  let text = '';
  client.on('data', (piece) => (text += String(piece)));
  for (let at = 0; at < 20; at++) {
    await until(() => held.length === at + 1);
    held[at]?.end(`<${at}>`);
  }
  await until(() => text.includes('<19>'));
  expect(text.match(/<\d+>/g)).toEqual(Array.from({ length: 20 }, (_, at) => `<${at}>`));
});
