import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { inBackground } from '../platform/in-background';
import { createBag } from '../platform/short-lived';
import { inOrder } from './admission/in-order';
import { createUnreadWatch, type ReadingPatience } from './admission/unread-answers';

export interface HttpServer {
  readonly url: string;
  /** Lets running requests finish and refuses new connections; after 10 s the rest is cut. */
  stop(): Promise<void>;
}

/** How long answers in progress may take before their connections are cut. */
const FORCE_AFTER_MS = 10_000;

const SWEEP_MS = 50;

/** How long a connection without a request may stay when the server stops: the request may be on its way. */
const OPENED_MS = 500;

/** How long an unwanted body is read and discarded after its answer. */
const LINGER_MS = 5_000;

/**
 * How long a client may take: to send a request, after which the answer is a 408, and to read an answer. Then the
 * connection is closed.
 */
export interface Patience extends ReadingPatience {
  /** For the headers. */
  readonly headersMs: number;
  /** For the whole request. A body holds its memory in the process for up to this long. */
  readonly requestMs: number;
}

/**
 * 10 MB in a minute are 170 KB a second; a menu of 10 MB in gzip needs a tenth of that. Reading may be five times as
 * slow, 35 KB a second, so that an answer of 10 MB holds its memory for up to five minutes.
 */
const PATIENCE: Patience = {
  headersMs: 10_000,
  requestMs: 60_000,
  leastBytes: 1_048_576,
  unreadMs: 30_000,
};
/** Of one event of an answer. */
const MOST_LISTENERS = 20;
/** The checks for late requests and unread answers run this often; Node's default is half a minute. */
const CHECK_EVERY_MS = 1_000;

export interface ListenOptions {
  readonly host: string;
  readonly port: number;
  /** For tests, which use shorter times. */
  readonly patience?: Patience | undefined;
}

/** Listens and resolves with the bound address; port 0 takes a free one. */
export async function startHttpServer(
  handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
  { host, port, patience = PATIENCE }: ListenOptions,
): Promise<HttpServer> {
  const answering = createBag<ServerResponse>();
  let stopping = false;
  const answer = inOrder((request, response) => {
    answering.add(response);
    // Koa adds five to an answer that is a stream; at eleven Node warns of a leak.
    response.setMaxListeners(MOST_LISTENERS);
    response.once('close', () => answering.delete(response));
    // An answer before the end of the body (401, 413) would be lost if the connection were closed while the client
    // still sends; but a body that never ends must not be read for ever.
    response.once('finish', () => {
      if (!request.complete) setTimeout(() => endBody(request), LINGER_MS).unref();
    });
    if (stopping) response.setHeader('Connection', 'close');
    const refusal = refusalByHead(request);
    if (refusal) response.writeHead(...refusal).end();
    // It answers its own errors; if it fails to answer, the client must not wait.
    else inBackground(handle(request, response), () => response.destroy());
  });
  const server = createServer(
    {
      headersTimeout: patience.headersMs,
      requestTimeout: patience.requestMs,
      connectionsCheckingInterval: CHECK_EVERY_MS,
      // Longer than a load balancer's idle time; otherwise it might send a request into a connection that we are
      // closing.
      keepAliveTimeout: 65_000,
      // Node would answer such a request without telling us, and the next one would begin too early: see `inOrder`.
      requireHostHeader: false,
    },
    answer,
  );
  // Node would send `100 Continue` for every body; we send it when the body is read.
  server.on('checkContinue', answer);
  server.on('checkExpectation', answer);
  const sockets = createBag<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await listen(server, host, port);
  const endUnread = createUnreadWatch(patience);
  const watching = setInterval(() => endUnread(answering), CHECK_EVERY_MS).unref();
  server.once('close', () => clearInterval(watching));
  return {
    url: urlOf(server),
    async stop() {
      stopping = true;
      for (const response of answering) {
        if (!response.headersSent) response.setHeader('Connection', 'close');
      }
      // A connection that the kernel has accepted is refused unless Node accepts it too before it stops listening.
      await new Promise((resolve) => setImmediate(resolve));
      const closed = close(server);
      // Clients open connections ahead of their requests, and Node does not count those as idle.
      const unused = setTimeout(() => {
        for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
      }, OPENED_MS);
      await closed;
      clearTimeout(unused);
    },
  };
}

/** As Node reads it. */
const CONTINUE = /(?:^|\W)100-continue(?:$|\W)/i;

/** The answer that HTTP/1.1 wants to a head: 400 without a host, which ends the connection; 417 to other expectations. */
function refusalByHead({
  httpVersion,
  headers: { host, expect },
}: IncomingMessage): [status: number, headers?: OutgoingHttpHeaders] | undefined {
  if (httpVersion !== '1.1') return undefined;
  if (host === undefined) return [400, { Connection: 'close' }];
  return expect === undefined || CONTINUE.test(expect) ? undefined : [417];
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
  // Repeatedly, because a connection still reading the end of a body when the server closes is idle soon after.
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
  clearInterval(sweep);
  clearTimeout(force);
}
