import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/*
 * The receivers of a benchmark, in a separate process: any path answers 204 at once, `/hang` never does. Arrivals are
 * reported by the number of their event, which is the `external_id` of the body.
 */

export interface Arrivals {
  /** Event number, and when it came for the first time: ms since the epoch, with fractions. */
  readonly first: readonly (readonly [event: number, at: number])[];
  /** Requests beyond the first with their `webhook-id`. */
  readonly duplicates: number;
}

const first = new Map<number, number>();
const ids = new Set<string>();
let duplicates = 0;

const server = createServer((request, response) => {
  let body = '';
  request.setEncoding('latin1');
  request.on('data', (chunk: string) => (body += chunk));
  request.on('end', () => {
    const at = performance.timeOrigin + performance.now();
    const event = Number(/"external_id":"(\d+)"/.exec(body)?.[1]);
    if (!first.has(event)) first.set(event, at);
    const id = String(request.headers['webhook-id']);
    if (ids.has(id)) duplicates += 1;
    ids.add(id);
    if (request.url === '/hang') return;
    response.statusCode = 204;
    response.end();
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', 4_096, () => {
  process.send?.((server.address() as AddressInfo).port);
});

/** Any message requests the arrivals since the last one. */
process.on('message', () => {
  process.send?.({ first: [...first], duplicates } satisfies Arrivals);
  first.clear();
  ids.clear();
  duplicates = 0;
});
process.on('disconnect', () => process.exit());
