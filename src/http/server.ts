import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { inBackground } from '../platform/in-background';

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

/** How long a client may take to send what it has begun; past it the answer is a 408 and the connection is closed. */
export interface Patience {
  /** Until the headers are there. */
  readonly headersMs: number;
  /** Until the whole request is there. A body holds its room in the process for so long. */
  readonly requestMs: number;
}

/** 10 MB in a minute are 170 KB a second; a menu of 10 MB in gzip needs a tenth of it. */
const PATIENCE: Patience = { headersMs: 10_000, requestMs: 60_000 };
/** How much later than that it may be noticed; the default is half a minute. */
const CHECK_EVERY_MS = 1_000;

export interface ListenOptions {
  readonly host: string;
  readonly port: number;
  /** For tests, which have less. */
  readonly patience?: Patience | undefined;
}

/** Listens and resolves with the address that it got; port 0 takes a free one. */
export async function startHttpServer(
  handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
  { host, port, patience = PATIENCE }: ListenOptions,
): Promise<HttpServer> {
  const answering = new Set<ServerResponse>();
  let stopping = false;
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    answering.add(response);
    response.once('close', () => answering.delete(response));
    // An answer that comes before the end of the body (401, 413) would be lost if the connection were closed under a
    // client that still sends; one that never ends must not be listened to for ever.
    response.once('finish', () => {
      if (!request.complete) setTimeout(() => endBody(request), LINGER_MS).unref();
    });
    if (stopping) response.setHeader('Connection', 'close');
    // It answers its own errors; without an answer the client must not wait.
    inBackground(handle(request, response), () => response.destroy());
  };
  const server = createServer(
    {
      headersTimeout: patience.headersMs,
      requestTimeout: patience.requestMs,
      connectionsCheckingInterval: CHECK_EVERY_MS,
      // Longer than a load balancer's idle time, or it sends a request into a connection that we are closing.
      keepAliveTimeout: 65_000,
    },
    answer,
  );
  // By itself Node would invite every body; ours are invited when they are read, if they are.
  server.on('checkContinue', answer);
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
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
