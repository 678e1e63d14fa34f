import { EventEmitter, once } from 'node:events';
import { connect } from 'node:net';
import { startHttpServer } from '../../src/http/server';

test('a server stops at once although a client has opened a connection without a request', async () => {
  const server = await startHttpServer(() => Promise.resolve(), { host: '127.0.0.1', port: 0 });
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  socket.on('error', () => {});
  await new Promise((resolve) => socket.once('connect', resolve));
  // Accepted by the kernel is not yet accepted by Node.
  await new Promise((resolve) => setTimeout(resolve, 100));
  const startedAt = Date.now();
  await server.stop();
  // By force it would be ended after 10 s.
  expect(Date.now() - startedAt).toBeLessThan(8_000);
});

test('a request in progress is answered before the server stops, with notice that it closes', async () => {
  const gate = new EventEmitter();
  const server = await startHttpServer(
    async (_request, response) => {
      gate.emit('begun');
      await once(gate, 'go');
      response.end('done');
    },
    { host: '127.0.0.1', port: 0 },
  );
  const begun = once(gate, 'begun');
  const asked = fetch(server.url);
  await begun;
  const stopped = server.stop();
  gate.emit('go');
  const response = await asked;
  expect(response.headers.get('connection')).toBe('close');
  expect(await response.text()).toBe('done');
  await stopped;
  await expect(fetch(server.url)).rejects.toThrow('fetch failed');
});
