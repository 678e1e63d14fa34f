import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/*
 * The receivers of a benchmark, as a process of their own: any path answers 204 at once, `/hang/…` never does.
 * What arrived is kept by event number (the `external_id` of the body) and told to the parent when it asks.
 */

export interface Arrivals {
  /** [event number, when it first arrived (ms since the epoch, with fractions)] */
  readonly first: readonly (readonly [number, number])[];
  /** Requests beyond the first of their `webhook-id`. */
  readonly duplicates: number;
  readonly hanging: number;
}

const first = new Map<number, number>();
const seen = new Set<string>();
let [duplicates, hanging] = [0, 0];

const server = createServer((request, response) => {
  let body = '';
  request.setEncoding('latin1');
  request.on('data', (chunk: string) => (body += chunk));
  request.on('end', () => {
    const at = performance.timeOrigin + performance.now();
    const event = Number(/"(?:external_id|n)":"(\d+)"/.exec(body)?.[1]);
    if (!first.has(event)) first.set(event, at);
    const id = String(request.headers['webhook-id']);
    if (seen.has(id)) duplicates += 1;
    seen.add(id);
    if (request.url?.startsWith('/hang')) {
      hanging += 1;
      return;
    }
    response.statusCode = 204;
    response.end();
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', 4_096, () => {
  process.send?.({ port: (server.address() as AddressInfo).port });
});

process.on('message', (message) => {
  if (message === 'report') {
    process.send?.({ first: [...first], duplicates, hanging } satisfies Arrivals);
  }
  if (message === 'reset') {
    first.clear();
    seen.clear();
    [duplicates, hanging] = [0, 0];
    process.send?.('reset');
  }
});
process.on('disconnect', () => process.exit());
