import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

/** How the proxy handles a request for a connection. */
type Manner = 'tunnel' | 'refuse' | 'hang' | 'hang-up' | 'garbage' | 'endless-head';

export interface ConnectProxy {
  readonly port: number;
  /** Where connections were asked for, in order: `address:port`. */
  readonly asked: readonly string[];
  /** Requests other than CONNECT. */
  readonly others: readonly string[];
  behave(manner: Manner): void;
  /** Answers everything with this status; null: not any more. */
  refuseAll(status: number | null): void;
  /** Answers 502 for these, whatever its manner. */
  refuse(authority: string): void;
  close(): Promise<void>;
}

/** A forward proxy on loopback that knows CONNECT alone; with `credentials`, `user:password`, it answers 407 without them. */
export async function startConnectProxy(credentials?: string): Promise<ConnectProxy> {
  const asked: string[] = [];
  const others: string[] = [];
  const refused = new Set<string>();
  const sockets = new Set<Socket>();
  const expected = credentials && `Basic ${Buffer.from(credentials).toString('base64')}`;
  let manner: Manner = 'tunnel';
  let refusal: number | null = null;
  const server = createServer((request, response) => {
    others.push(`${request.method} ${request.url}`);
    response.writeHead(405).end();
  });
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('connect', (request: IncomingMessage, client: Socket, early: Buffer) => {
    const authority = request.url ?? '';
    client.on('error', () => {});
    asked.push(authority);
    if (expected && request.headers['proxy-authorization'] !== expected) {
      client.end('HTTP/1.1 407 Proxy Authentication Required\r\nproxy-authenticate: Basic\r\n\r\n');
    } else if (refusal !== null) client.end(`HTTP/1.1 ${refusal} No\r\ncontent-length: 0\r\n\r\n`);
    else if (manner === 'refuse' || refused.has(authority)) {
      client.end('HTTP/1.1 502 Bad Gateway\r\ncontent-length: 4\r\n\r\nnope');
    } else if (manner === 'hang-up') client.destroy();
    else if (manner === 'garbage') client.end('not HTTP at all\r\n\r\n');
    else if (manner === 'endless-head') {
      client.write(`HTTP/1.1 200 OK\r\n${`x-filler: ${'x'.repeat(1_000)}\r\n`.repeat(40)}`);
    } else if (manner === 'tunnel') tunnel(authority, client, early);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    asked,
    others,
    behave: (next) => (manner = next),
    refuseAll: (status) => (refusal = status),
    refuse: (authority) => void refused.add(authority),
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

function tunnel(authority: string, client: Socket, early: Buffer): void {
  const { hostname, port } = new URL(`http://${authority}`);
  const peer = connect(Number(port || 80), hostname.replace(/^\[|\]$/g, ''), () => {
    client.write('HTTP/1.1 200 Connection established\r\n\r\n');
    peer.write(early);
    peer.pipe(client).pipe(peer);
  });
  peer.on('error', () => client.destroy());
  client.on('close', () => peer.destroy());
}
