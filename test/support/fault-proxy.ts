import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

export interface FaultProxy {
  readonly port: number;
  /**
   * `pass` hands on, `swallow` accepts and answers nothing, as after a firewall has forgotten the connection; `refuse`
   * resets new connections. One of which something was swallowed stays silent, whatever comes next.
   */
  mode: 'pass' | 'swallow' | 'refuse';
  /** How much later everything is handed on, ms. */
  latencyMs: number;
  /** How many new connections were reset so far. */
  readonly refused: number;
  /** Resets every connection there is. */
  cut(): void;
  /** Resets every connection there is in the middle of the next answer that comes over it. */
  cutInsideAnswer(): void;
  close(): Promise<void>;
}

/** One connection through the proxy. */
interface Link {
  readonly client: Socket;
  readonly upstream: Socket;
  isLost: boolean;
  isDoomed: boolean;
}

/** A TCP proxy on 127.0.0.1 that can lose what passes through it. */
export async function startFaultProxy(target: { host: string; port: number }): Promise<FaultProxy> {
  const links = new Set<Link>();
  let refused = 0;
  const server = createServer((client) => {
    if (proxy.mode === 'refuse') {
      refused += 1;
      client.resetAndDestroy();
      return;
    }
    const link: Link = { client, upstream: connect(target), isLost: false, isDoomed: false };
    links.add(link);
    carry(link, client, link.upstream);
    carry(link, link.upstream, client);
  });

  function carry(link: Link, from: Socket, to: Socket): void {
    // A chain, so that nothing overtakes delayed data.
    let handedOn: Promise<unknown> = Promise.resolve();
    from.on('data', (chunk: Buffer) => {
      link.isLost ||= proxy.mode === 'swallow';
      const dueAt = Date.now() + proxy.latencyMs;
      const isDue = (): Promise<void> | undefined =>
        dueAt > Date.now() ? delay(dueAt - Date.now()) : undefined;
      handedOn = handedOn.then(isDue).then(() => {
        if (link.isLost || to.destroyed) return;
        if (!link.isDoomed || from === link.client) to.write(chunk);
        else to.write(chunk.subarray(0, chunk.length / 2), () => reset(link));
      });
    });
    from.on('error', () => {});
    from.on('close', () => {
      links.delete(link);
      to.destroy();
    });
  }

  const proxy: FaultProxy = {
    port: await listen(server),
    mode: 'pass',
    latencyMs: 0,
    get refused() {
      return refused;
    },
    cut: () => links.forEach(reset),
    cutInsideAnswer() {
      for (const link of links) link.isDoomed = true;
    },
    async close() {
      links.forEach(reset);
      server.close();
      await once(server, 'close');
    },
  };
  return proxy;
}

function reset({ client, upstream }: Link): void {
  client.resetAndDestroy();
  upstream.resetAndDestroy();
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : 0);
    });
  });
}

/** A proxy before the Postgres of a URL; `url` is the way to the same database through it. */
export async function startPostgresProxy(
  databaseUrl: string,
): Promise<{ readonly proxy: FaultProxy; readonly url: string }> {
  const url = new URL(databaseUrl);
  const proxy = await startFaultProxy({ host: url.hostname, port: Number(url.port) });
  url.port = String(proxy.port);
  return { proxy, url: url.href };
}
