import { createServer, type Server } from 'node:http';
import { createServer as createTcpServer, type Server as TcpServer } from 'node:net';
import type { AddressInfo } from 'node:net';

export interface HostileServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Answers every request alike, with an answer that a client must survive. */
export async function startAnswering(
  status: number,
  body: string | Buffer,
  headers: Readonly<Record<string, string>> = {},
): Promise<HostileServer> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(status, headers).end(body);
    });
  });
  return listen(server);
}

/** Refuses every request with the request itself, headers and body, as an error message. */
export async function startEcho(status: number): Promise<HostileServer> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8').slice(0, 200);
      const { authorization, 'x-authorization': own } = request.headers;
      const message = `${authorization} ${String(own)} ${body} ${request.url}`;
      response.writeHead(status, { 'content-type': 'application/json' }).end(
        JSON.stringify({
          error: message,
          code: message,
          message,
          errors: [{ code: message, path: message, message }],
          errno: 10001,
          errmsg: message,
        }),
      );
    });
  });
  return listen(server);
}

/** Does not speak HTTP: writes bytes to each connection and closes it. */
export async function startRaw(bytes: string): Promise<HostileServer> {
  const server = createTcpServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(bytes));
  });
  return listen(server);
}

/** An address without a listener: its port was just released. */
export async function findClosedPort(): Promise<string> {
  const server = await startRaw('');
  await server.close();
  return server.url;
}

async function listen(server: Server | TcpServer): Promise<HostileServer> {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        if ('closeAllConnections' in server) server.closeAllConnections();
      }),
  };
}
