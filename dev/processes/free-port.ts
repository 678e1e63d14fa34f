import { createServer } from 'node:net';

/** `wanted` if it is free on 127.0.0.1, otherwise any free port; 0 means any. */
export async function findFreePort(wanted = 0): Promise<number> {
  return (await tryPort(wanted)) ?? (await tryPort(0)) ?? fail();
}

/** Whether a server could listen on 127.0.0.1:`port` now. */
export async function isPortFree(port: number): Promise<boolean> {
  return (await tryPort(port)) !== undefined;
}

/** Throws a sentence that names the port, and the variable that sets another. */
export async function requireFreePort(port: number, variable: string): Promise<void> {
  if (await isPortFree(port)) return;
  throw new Error(`port ${port} is taken by another program; set ${variable} to a free one`);
}

function tryPort(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(undefined));
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      const found = typeof address === 'object' && address ? address.port : undefined;
      server.close(() => resolve(found));
    });
  });
}

function fail(): never {
  throw new Error('no free port on 127.0.0.1');
}
