import { connect, createServer, type Server, type Socket } from 'node:net';

export interface FaultProxy {
  readonly port: number;
  /** `pass` hands on, `swallow` accepts and answers nothing, as after a firewall has forgotten the connection; `refuse` resets. */
  mode: 'pass' | 'swallow' | 'refuse';
  /** Resets every connection there is. */
  cut(): void;
  close(): Promise<void>;
}

/** A TCP proxy on 127.0.0.1 that can lose what passes through it. */
export async function startFaultProxy(target: { host: string; port: number }): Promise<FaultProxy> {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    if (proxy.mode === 'refuse') {
      client.resetAndDestroy();
      return;
    }
    const upstream = connect(target);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on('data', (chunk) => proxy.mode === 'pass' && to.write(chunk));
      from.on('error', () => {});
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });
  const proxy: FaultProxy = {
    port: await listen(server),
    mode: 'pass',
    cut: () => sockets.forEach((socket) => socket.resetAndDestroy()),
    async close() {
      sockets.forEach((socket) => socket.destroy());
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return proxy;
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : 0);
    });
  });
}
