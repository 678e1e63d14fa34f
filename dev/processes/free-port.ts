import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { unusablePortSentence } from '../../src/run/unusable-port';
import { errorCode } from './error-code';

/**
 * Below the ports that Linux, macOS and Windows hand out by themselves, to connections and to servers that ask for any:
 * those may be taken between now and the start of the server that is meant to have the port.
 */
const LOWEST = 20_000;
const ABOVE_HIGHEST = 32_768;

/** Starts anywhere, so that processes that look at the same time look at different ports. */
let next = randomInt(LOWEST, ABOVE_HIGHEST);

/**
 * `wanted` if it is free on 127.0.0.1, otherwise a free port that the system gives to nobody by itself; 0 means any. A
 * process is given each port once.
 */
export async function findFreePort(wanted = 0): Promise<number> {
  if (wanted !== 0 && (await isPortFree(wanted))) return wanted;
  for (let tried = 0; tried < ABOVE_HIGHEST - LOWEST; tried += 1) {
    const port = next;
    next = port + 1 < ABOVE_HIGHEST ? port + 1 : LOWEST;
    if (await isPortFree(port)) return port;
  }
  throw new Error('no free port on 127.0.0.1');
}

/** Whether a server could listen on 127.0.0.1:`port` now. */
export async function isPortFree(port: number): Promise<boolean> {
  return (await tryPort(port)) === null;
}

/** Throws a sentence that names the port, and the variable that sets another. */
export async function requireFreePort(port: number, variable: string): Promise<void> {
  const error = await tryPort(port);
  if (error === null) return;
  const sentence = unusablePortSentence(errorCode(error), port, variable);
  throw sentence === null ? error : new Error(sentence);
}

/** Why a server could not listen on the port; null when it could. */
function tryPort(port: number): Promise<Error | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', resolve);
    server.listen(port, '127.0.0.1', () => {
      server.close(() => resolve(null));
    });
  });
}
