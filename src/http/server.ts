import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export interface HttpServer {
  readonly url: string;
  /** Lets running requests be answered and refuses new connections; what is left after 10 s is cut. */
  stop(): Promise<void>;
}

/** Longest time that answers under way get before their connections are cut. */
const FORCE_AFTER_MS = 10_000;

const SWEEP_MS = 50;

/** How long a body that nobody wants is read and thrown away after its answer. */
const LINGER_MS = 5_000;

/** Listens and resolves with the address that it got; port 0 takes a free one. */
export async function startHttpServer(
  handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<HttpServer> {
  const answering = new Set<ServerResponse>();
  let stopping = false;
  const server = createServer((request, response) => {
    answering.add(response);
    response.once('close', () => answering.delete(response));
    // An answer that comes before the end of the body (401, 413) would be lost if the connection were closed under a
    // client that still sends; one that never ends must not be listened to for ever.
    response.once('finish', () => {
      if (!request.complete) setTimeout(() => endBody(request), LINGER_MS).unref();
    });
    if (stopping) response.setHeader('Connection', 'close');
    void handle(request, response);
  });
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  // Longer than a load balancer's idle time, or it sends a request into a connection that we are closing.
  server.keepAliveTimeout = 65_000;
  await listen(server, host, port);
  return {
    url: urlOf(server),
    stop() {
      stopping = true;
      for (const response of answering) {
        if (!response.headersSent) response.setHeader('Connection', 'close');
      }
      const closed = close(server);
      // Clients open connections ahead of their requests; for Node such a one is not idle yet.
      for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
      return closed;
    },
  };
}

function endBody(request: IncomingMessage): void {
  if (!request.complete) request.destroy();
}

async function listen(server: Server, host: string, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
}

function urlOf(server: Server): string {
  const { address, port } = server.address() as AddressInfo;
  return `http://${address.includes(':') ? `[${address}]` : address}:${port}`;
}

async function close(server: Server): Promise<void> {
  const force = setTimeout(() => server.closeAllConnections(), FORCE_AFTER_MS);
  // Again and again: a connection that is still at the end of a body when the server closes is idle soon after.
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
  clearInterval(sweep);
  clearTimeout(force);
}
