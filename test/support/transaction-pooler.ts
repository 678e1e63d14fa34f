import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

export interface TransactionPooler {
  readonly port: number;
  /** Transactions that ran on another session than the one before of the same client. */
  readonly switched: () => number;
  close(): Promise<void>;
}

const SSL_REQUEST = 80_877_103;
const CANCEL_REQUEST = 80_877_102;
/** Startup parameters that a pooler accepts from a client; PgBouncer refuses a connection with any other. */
const KNOWN_PARAMETERS = ['user', 'database', 'application_name', 'client_encoding'];
const [TERMINATE, READY, BACKEND_KEY, FAILED] = ['X', 'Z', 'K', 'E'].map((letter) =>
  letter.charCodeAt(0),
);
const IDLE = 'I'.charCodeAt(0);

/** One session of the server. */
interface Session {
  readonly socket: Socket;
  /** What cancels on it. */
  key: Buffer;
  /** Whose transaction runs on it. */
  client: Client | undefined;
  /** Of the `connect_query`; what the server answers while it runs is for nobody. */
  preparation: 'due' | 'running' | 'done';
}

interface Client {
  readonly socket: Socket;
  key: Buffer;
  session: Session | undefined;
  /** The one of its transaction before. */
  last: Session | undefined;
  /** Messages received while it had no session. */
  waiting: Buffer[];
}

/**
 * A transaction pooler in front of the Postgres on `target` (a port of 127.0.0.1), as unfriendly as one may be: a
 * client gets another session for each transaction, of those that are free, so whatever it leaves in one is gone for it
 * and waits there for another. One session for each client that signed in. `connectQuery`: runs on each session before
 * its first client, as PgBouncer's `connect_query` does; if it fails, that client's connection is closed.
 */
export async function startTransactionPooler(
  target: number,
  connectQuery = '',
): Promise<TransactionPooler> {
  const idle: Session[] = [];
  const queue: Client[] = [];
  const clients = new Set<Client>();
  const sockets = new Set<Socket>();
  let switched = 0;

  function keep(socket: Socket): Socket {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
    return socket.setNoDelay(true);
  }

  function serve(client: Client): void {
    const other = idle.findIndex((each) => each !== client.last);
    const [session] = idle.splice(Math.max(0, other), 1);
    if (!session) return void queue.push(client);
    if (client.last && client.last !== session) switched += 1;
    session.client = client;
    client.session = session;
    client.last = session;
    for (const chunk of client.waiting.splice(0)) session.socket.write(chunk);
  }

  function release(session: Session): void {
    if (session.client) session.client.session = undefined;
    session.client = undefined;
    idle.push(session);
    const next = queue.shift();
    if (next) serve(next);
  }

  /** Passes the server's messages to the client that has the session; none has it after its transaction. */
  function readServer(session: Session): void {
    readMessages(session.socket, (message) => {
      const { client } = session;
      const isReady = message[0] === READY;
      if (session.preparation === 'due' && isReady) {
        session.preparation = 'running';
        return void session.socket.write(queryMessage(connectQuery));
      }
      if (session.preparation === 'running') {
        if (message[0] === FAILED) session.socket.destroy(); // and with it its client
        if (!isReady) return;
        session.preparation = 'done';
      }
      if (message[0] === BACKEND_KEY) {
        session.key = message.subarray(5);
        if (client) client.key = session.key;
      }
      client?.socket.write(message);
      if (isReady && message[5] === IDLE) release(session);
    });
  }

  function signIn(client: Client, startup: Buffer): void {
    const session: Session = {
      socket: keep(connect(target, '127.0.0.1')),
      key: client.key,
      client,
      preparation: connectQuery === '' ? 'done' : 'due',
    };
    session.socket.on('close', () => {
      const at = idle.indexOf(session);
      if (at >= 0) idle.splice(at, 1);
      session.client?.socket.destroy();
    });
    client.session = session;
    client.last = session;
    session.socket.write(startup);
    readServer(session);
  }

  function cancel(key: Buffer): void {
    const client = [...clients].find((each) => each.key.equals(key));
    if (!client?.session) return;
    const head = Buffer.alloc(8);
    head.writeInt32BE(8 + key.length, 0);
    head.writeInt32BE(CANCEL_REQUEST, 4);
    keep(connect(target, '127.0.0.1')).end(Buffer.concat([head, client.session.key]));
  }

  function start(client: Client, chunk: Buffer): void {
    const code = chunk.readInt32BE(4);
    if (code === SSL_REQUEST) return void client.socket.once('data', (next) => start(client, next));
    if (code === CANCEL_REQUEST) {
      cancel(chunk.subarray(8));
      return void client.socket.end();
    }
    const unknown = parametersOf(chunk).filter((name) => !KNOWN_PARAMETERS.includes(name));
    if (unknown.length > 0) return void client.socket.end(refusal(unknown));
    clients.add(client);
    signIn(client, chunk);
    client.socket.on('data', (data) => {
      if (data[0] === TERMINATE) client.socket.end();
      else if (client.session) client.session.socket.write(data);
      else if (client.waiting.push(data) === 1) serve(client);
    });
  }

  const server = createServer((socket) => {
    const client: Client = {
      socket: keep(socket),
      key: Buffer.alloc(0),
      session: undefined,
      last: undefined,
      waiting: [],
    };
    socket.on('close', () => {
      clients.delete(client);
      // In the middle of a transaction, which ends with its session.
      client.session?.socket.destroy();
      const at = queue.indexOf(client);
      if (at >= 0) queue.splice(at, 1);
    });
    socket.once('data', (chunk) => {
      if (chunk.readInt32BE(4) === SSL_REQUEST) socket.write('N');
      start(client, chunk);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    switched: () => switched,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Each message: one byte for the type, four for the length without that byte. */
function readMessages(socket: Socket, onMessage: (message: Buffer) => void): void {
  let rest = Buffer.alloc(0);
  socket.on('data', (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= 5 && rest.length > rest.readUInt32BE(1)) {
      const size = rest.readUInt32BE(1) + 1;
      onMessage(rest.subarray(0, size));
      rest = rest.subarray(size);
    }
  });
}

function parametersOf(startup: Buffer): string[] {
  const words = startup.toString('latin1', 8).split('\0');
  return words.filter((word, index) => index % 2 === 0 && word !== '');
}

function queryMessage(query: string): Buffer {
  const text = Buffer.from(`${query}\0`);
  const head = Buffer.alloc(5);
  head.write('Q');
  head.writeInt32BE(4 + text.length, 1);
  return Buffer.concat([head, text]);
}

function refusal(names: readonly string[]): Buffer {
  const fields = `SFATAL\0C08P01\0Munsupported startup parameter: ${names.join(', ')}\0\0`;
  const head = Buffer.alloc(5);
  head.write('E');
  head.writeInt32BE(4 + fields.length, 1);
  return Buffer.concat([head, Buffer.from(fields)]);
}
