import { createServer } from 'node:net';
import { once } from 'node:events';
import { findFreePort, isPortFree } from '../../dev/processes/free-port';

test('a wanted port that is free is the one', async () => {
  const free = await findFreePort();
  expect(await findFreePort(free)).toBe(free);
});

test('a port is given once, and the system gives it to nobody by itself', async () => {
  const ports: number[] = [];
  for (let count = 0; count < 50; count += 1) ports.push(await findFreePort());
  expect(new Set(ports).size).toBe(50);
  for (const port of ports) {
    expect(port).toBeGreaterThanOrEqual(20_000);
    expect(port).toBeLessThan(32_768);
  }
});

test('a port that is taken is not free, and another one is found', async () => {
  const taken = await findFreePort();
  const server = createServer().listen(taken, '127.0.0.1');
  await once(server, 'listening');
  try {
    expect(await isPortFree(taken)).toBe(false);
    const found = await findFreePort(taken);
    expect(found).not.toBe(taken);
    expect(await isPortFree(found)).toBe(true);
  } finally {
    server.close();
  }
});
