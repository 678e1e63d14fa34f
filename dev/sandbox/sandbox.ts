import { setMaxListeners } from 'node:events';
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { SandboxEnv, SandboxPart, SandboxPartFactory } from './sandbox-part';
import { sendJson } from './send-json';
import { inBackground } from '../../src/platform/in-background';

export interface SandboxOptions {
  /** 0 = any free port. */
  readonly port: number;
  /** Plugged in under their names; two of one name are refused. */
  readonly parts: readonly SandboxPartFactory[];
  /** ms since epoch; default is the machine's clock. */
  readonly clock?: () => number;
  /** Default is random; a counter makes a run repeatable. */
  readonly newId?: (prefix: string) => string;
}

export interface Sandbox {
  /** Origin without trailing slash, such as `http://127.0.0.1:4010`. */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Starts one HTTP server on 127.0.0.1 with a path prefix per part. Rejects when the port is taken.
 * Everything is kept in memory and gone with `close`, which also ends answers that are still being written.
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const closing = new AbortController();
  setMaxListeners(0, closing.signal); // one per slow request
  const env: SandboxEnv = {
    clock: options.clock ?? Date.now,
    newId: options.newId ?? ((prefix) => `${prefix}_${randomUUID()}`),
    signal: closing.signal,
  };
  const parts = indexByName(options.parts.map((create) => create(env)));
  const server = createServer((request, response) => {
    inBackground(serve(parts, request, response), () => response.destroy());
  });
  // Clients that keep connections open must not find one closed in the moment in which they use it.
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      closing.abort();
      for (const part of parts.values()) await part.close?.();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

function indexByName(parts: readonly SandboxPart[]): ReadonlyMap<string, SandboxPart> {
  const byName = new Map<string, SandboxPart>();
  for (const part of parts) {
    if (byName.has(part.name)) throw new Error(`Two parts are called ${part.name}.`);
    byName.set(part.name, part);
  }
  return byName;
}

async function serve(
  parts: ReadonlyMap<string, SandboxPart>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    const url = new URL(request.url ?? '/', 'http://sandbox');
    const [, name = '', ...rest] = url.pathname.split('/');
    const part = parts.get(name);
    if (part) {
      const path = `/${rest.join('/')}`;
      const method = request.method ?? 'GET';
      await part.handle({ method, path, query: url.searchParams, raw: request }, response);
    } else if (url.pathname === '/') {
      sendJson(response, 200, startPage(parts));
    } else {
      sendJson(response, 404, { error: 'not_found' });
    }
  } catch (error) {
    // A client that went away, or a defect of the sandbox: a test that runs into one has to see it.
    if (response.headersSent || request.destroyed) response.destroy();
    else sendJson(response, 500, { error: 'sandbox_defect', message: String(error) });
  }
}

function startPage(parts: ReadonlyMap<string, SandboxPart>): unknown {
  return {
    message: 'Simulated delivery apps and other systems, for development and tests.',
    parts: [...parts.values()].map(({ name, description }) => ({ path: `/${name}`, description })),
  };
}
