import { createServer, connect } from 'node:net';
import { createAppB } from '../../sandbox/app-b/app-b';
import { createReceiver } from '../../sandbox/receiver';
import { startSandbox } from '../../sandbox/sandbox';
import { simulateApp } from '../../sandbox/simulated-app';
import type { Engine } from './engine';
import { run, tryRun } from './run';

/** Ours with the delivery app. */
export const CREDENTIAL = { clientId: 'sandbox', clientSecret: 'sandbox' };
const NETWORK = 'pos-integrations-tried-neighbours';
/** This machine in that network, whose address the containers of every other one reach. */
export const NEIGHBOURS_ADDRESS = '172.30.42.1';

/** The delivery app and the receiver, on this machine, at an address that containers reach. */
export interface Neighbours {
  readonly url: string;
  /** A page of theirs, such as `app-b/_sandbox/faults`. */
  control(method: 'GET' | 'POST' | 'DELETE', page: string, body?: object): Promise<unknown>;
  close(): Promise<void>;
}

/** In a network of their own, which outlives those of the deployments. */
export async function startNeighbours({ env }: Engine): Promise<Neighbours> {
  await tryRun('docker', ['network', 'rm', NETWORK], { env }); // of a run that was killed
  const network = ['--subnet', '172.30.42.0/24', '--gateway', NEIGHBOURS_ADDRESS, NETWORK];
  await run('docker', ['network', 'create', ...network], { env });
  const parts = [simulateApp(createAppB(CREDENTIAL)), createReceiver()];
  const sandbox = await startSandbox({ port: 0, parts });
  const port = Number(new URL(sandbox.url).port);
  const relay = createServer((socket) => {
    const inner = connect(port, '127.0.0.1');
    socket.pipe(inner).pipe(socket);
    socket.on('error', () => inner.destroy());
    inner.on('error', () => socket.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    relay.once('error', reject).listen(port, NEIGHBOURS_ADDRESS, resolve);
  });
  return {
    url: `http://${NEIGHBOURS_ADDRESS}:${port}`,
    async control(method, page, body) {
      const answer = await fetch(`${sandbox.url}/${page}`, {
        method,
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${method} ${page}: ${answer.status} ${text}`);
      return text === '' ? undefined : JSON.parse(text);
    },
    async close() {
      relay.close();
      await sandbox.close();
      await run('docker', ['network', 'rm', NETWORK], { env });
    },
  };
}
