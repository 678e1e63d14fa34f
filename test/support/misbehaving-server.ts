import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { gzipSync } from 'node:zlib';

/** How the server reacts after reading a request; `nth` counts the requests of one connection from 1. */
type Behaviour = (socket: Socket, nth: number) => void;

const answer = (head: string, body = '') =>
  `HTTP/1.1 ${head}\r\ncontent-length: ${body.length}\r\n\r\n${body}`;

/** Writes `text` again and again, as fast as the peer takes it or every `pauseMs`, until the connection is gone. */
function repeat(socket: Socket, text: string, pauseMs = 0): void {
  if (socket.destroyed) return;
  const taken = socket.write(text);
  if (pauseMs > 0) setTimeout(() => repeat(socket, text, pauseMs), pauseMs);
  else if (taken) setImmediate(() => repeat(socket, text));
  else socket.once('drain', () => repeat(socket, text));
}

function begin(socket: Socket, head: string, then: (socket: Socket) => void): void {
  socket.write(head, () => then(socket));
}

const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';
const EVERY_INTERIM = `${CONTINUE}HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n`;

/** Writes `text` in packets of one byte. */
function dripBytes(socket: Socket, text: string): void {
  if (socket.destroyed || text === '') return;
  socket.write(text.slice(0, 1), () => setImmediate(() => dripBytes(socket, text.slice(1))));
}

const BOMB = gzipSync(Buffer.alloc(50_000_000));

/** Named ways to answer, or not; the path of a request chooses one. */
const BEHAVIOURS = {
  'no-content': (socket) => socket.write('HTTP/1.1 204 No Content\r\n\r\n'),
  hello: (socket) => socket.write(answer('200 OK\r\nx-twice: a\r\nX-Twice: b', 'hello')),
  'no-content-and-close': (socket) =>
    socket.end('HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n'),
  hang: () => {},
  'drip-head': (socket) =>
    begin(socket, 'HTTP/1.1 200 OK\r\n', () => repeat(socket, 'x: y\r\n', 10)),
  'drip-body': (socket) =>
    begin(socket, 'HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n', () =>
      repeat(socket, 'x', 10),
    ),
  'endless-body': (socket) =>
    begin(socket, 'HTTP/1.1 200 OK\r\ncontent-length: 10737418240\r\n\r\n', () =>
      repeat(socket, 'x'.repeat(65_536)),
    ),
  'endless-tiny-chunks': (socket) =>
    begin(socket, 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n', () =>
      repeat(socket, '1\r\nx\r\n'.repeat(10_000)),
    ),
  'gzip-bomb': (socket) => {
    socket.write(
      `HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${BOMB.length}\r\n\r\n`,
    );
    socket.write(BOMB);
  },
  'reset-without-answer': (socket) => socket.resetAndDestroy(),
  'reset-in-body': (socket) =>
    begin(socket, 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\npart', () =>
      setTimeout(() => socket.resetAndDestroy(), 20),
    ),
  'close-without-answer': (socket) => socket.end(),
  'close-in-status-line': (socket) => socket.end('HTTP/1.1 20'),
  'close-in-body': (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\npart'),
  'close-in-announced-last-body': (socket) =>
    socket.end('HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 100\r\n\r\npart'),
  'close-in-chunk': (socket) =>
    socket.end(
      'HTTP/1.1 200 OK\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n9\r\npart',
    ),
  'bad-chunk': (socket) =>
    socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\npart'),
  'body-until-close': (socket) => socket.end('HTTP/1.1 200 OK\r\n\r\nhello'),
  'interim-forever': (socket) =>
    repeat(socket, 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n', 1),
  'interim-then-answer': (socket) =>
    socket.write('HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n'),
  'continue-forever': (socket) => repeat(socket, 'HTTP/1.1 100 Continue\r\n\r\n', 1),
  'continue-then-answer': (socket) =>
    socket.write(`HTTP/1.1 100 Continue\r\n\r\n${answer('200 OK', 'hello')}`),
  'continue-then-close': (socket) => socket.end('HTTP/1.1 100 Continue\r\n\r\n'),
  'close-in-interim': (socket) => socket.end('HTTP/1.1 100 Cont'),
  'every-interim-then-answer': (socket) =>
    socket.write(`${EVERY_INTERIM}${answer('200 OK', 'hello')}`),
  'interim-byte-by-byte': (socket) =>
    dripBytes(socket, `${EVERY_INTERIM}${answer('200 OK', 'hello')}`),
  'ten-interim-then-answer': (socket) =>
    socket.write(`${CONTINUE.repeat(10)}${answer('200 OK', 'hello')}`),
  'eleven-interim-then-answer': (socket) =>
    socket.write(`${CONTINUE.repeat(11)}${answer('200 OK', 'hello')}`),
  'huge-interim': (socket) =>
    begin(socket, 'HTTP/1.1 103 Early Hints\r\n', () =>
      repeat(socket, `x: ${'y'.repeat(1_000)}\r\n`),
    ),
  'body-that-looks-interim': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 25\r\n\r\n');
    setTimeout(() => socket.write(CONTINUE), 20);
  },
  'unasked-upgrade': (socket) =>
    socket.write('HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
  garbage: (socket) => socket.write('SSH-2.0-OpenSSH_9.6\r\n'),
  'huge-head': (socket) =>
    begin(socket, 'HTTP/1.1 200 OK\r\n', () => repeat(socket, `x: ${'y'.repeat(1_000)}\r\n`)),
  redirect: (socket) => socket.write(answer('302 Found\r\nlocation: /no-content')),
  'reset-second': (socket, nth) => {
    if (nth === 1) socket.write('HTTP/1.1 204 No Content\r\n\r\n');
    else socket.resetAndDestroy();
  },
} satisfies Record<string, Behaviour>;

export type BehaviourName = keyof typeof BEHAVIOURS;

export interface MisbehavingServer {
  readonly port: number;
  /** The URL that makes the server behave so. */
  url(behaviour: BehaviourName): string;
  /** Request heads and bodies as they came in, oldest first. */
  readonly requests: string[];
  /** Connections open now, and ever accepted. */
  open(): number;
  accepted(): number;
  close(): Promise<void>;
}

export interface MisbehavingServerOptions {
  /** How a new connection is treated before any byte is read; default: it is served. */
  readonly onAccept?: 'serve' | 'reset' | 'never-read';
  /** Serve TLS with this key and certificate. */
  readonly tls?: { readonly key: string; readonly cert: string };
}

/** A TCP server on 127.0.0.1 that violates HTTP in the requested way. */
export async function startMisbehavingServer({
  onAccept = 'serve',
  tls,
}: MisbehavingServerOptions = {}): Promise<MisbehavingServer> {
  const sockets = new Set<Socket>();
  const requests: string[] = [];
  let accepted = 0;

  const accept = (socket: Socket) => {
    accepted += 1;
    sockets.add(socket);
    // The peers of this server hang up in every possible way; that is not its concern.
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    if (onAccept === 'reset') socket.resetAndDestroy();
    if (onAccept === 'serve') serve(socket, requests);
  };
  const server: Server = tls ? createTlsServer(tls, accept) : createServer(accept);
  server.on('tlsClientError', () => {});
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;

  return {
    port,
    url: (behaviour) => `${tls ? 'https' : 'http'}://127.0.0.1:${port}/${behaviour}`,
    requests,
    open: () => sockets.size,
    accepted: () => accepted,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

function serve(socket: Socket, requests: string[]): void {
  let pending = '';
  let nth = 0;
  socket.on('data', (chunk) => {
    pending += chunk.toString('latin1');
    for (let end = endOfRequest(pending); end > 0; end = endOfRequest(pending)) {
      const request = pending.slice(0, end);
      pending = pending.slice(end);
      requests.push(request);
      nth += 1;
      const name = /^\w+ \/([\w-]+)/.exec(request)?.[1] ?? '';
      const behaviour: Behaviour = isBehaviour(name) ? BEHAVIOURS[name] : BEHAVIOURS['no-content'];
      behaviour(socket, nth);
    }
  });
}

function endOfRequest(text: string): number {
  const head = text.indexOf('\r\n\r\n');
  if (head === -1) return 0;
  const end =
    head + 4 + Number(/\r\ncontent-length: (\d+)/i.exec(text.slice(0, head + 2))?.[1] ?? 0);
  return text.length >= end ? end : 0;
}

function isBehaviour(name: string): name is BehaviourName {
  return Object.hasOwn(BEHAVIOURS, name);
}
