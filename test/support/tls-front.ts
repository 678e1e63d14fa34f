import { connect } from 'node:net';
import { createServer, type TlsOptions } from 'node:tls';

export interface TlsFront {
  /** `host:port`. */
  readonly address: string;
  /** The `authorization` headers could not be read here: only how many clients showed a certificate that is trusted. */
  readonly trusted: () => number;
  close(): Promise<void>;
}

/** Accepts TLS (with HTTP/2 for gRPC) on 127.0.0.1 and forwards its content. */
export async function startTlsFront(target: string, options: TlsOptions): Promise<TlsFront> {
  const [host, port] = target.split(':');
  const sockets = new Set<{ destroy(): unknown }>();
  let trusted = 0;
  const server = createServer({ ...options, ALPNProtocols: ['h2'] }, (client) => {
    if (client.authorized) trusted += 1;
    const upstream = connect(Number(port), host);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => sockets.delete(socket));
    }
    client.pipe(upstream).pipe(client);
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
  });
  server.on('tlsClientError', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    address: `127.0.0.1:${typeof address === 'object' ? address?.port : 0}`,
    trusted: () => trusted,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
