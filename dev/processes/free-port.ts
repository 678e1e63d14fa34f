import { createServer } from 'node:net';
import { unusablePortSentence } from '../../src/run/unusable-port';
import { errorCode } from './error-code';

/** `wanted` if it is free on 127.0.0.1, otherwise any free port; 0 means any. */
export async function findFreePort(wanted = 0): Promise<number> {
  return (await tryPort(wanted)).port ?? (await tryPort(0)).port ?? fail();
}

/** Whether a server could listen on 127.0.0.1:`port` now. */
export async function isPortFree(port: number): Promise<boolean> {
  return (await tryPort(port)).port !== undefined;
}

/** Throws a sentence that names the port, and the variable that sets another. */
export async function requireFreePort(port: number, variable: string): Promise<void> {
  const { error } = await tryPort(port);
  if (error === undefined) return;
  const sentence = unusablePortSentence(errorCode(error), port, variable);
  throw sentence === null ? error : new Error(sentence);
}

/** The port that a server could listen on, or why it could not. */
interface Tried {
  readonly port?: number;
  readonly error?: Error;
}

function tryPort(port: number): Promise<Tried> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error) => resolve({ error }));
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      const found = typeof address === 'object' && address ? { port: address.port } : {};
      server.close(() => resolve(found));
    });
  });
}

function fail(): never {
  throw new Error('no free port on 127.0.0.1');
}
