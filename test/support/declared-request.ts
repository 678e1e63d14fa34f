import { randomUUID } from 'node:crypto';
import { Agent, request as sendRequest } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import type { RouteContract } from '../../src/http/route';
import type { WorldIds } from '../api-contract/world';
import { RECEIVER_URL } from './inventory';

/** A request that is valid by its route's declaration, about things of the owner of `ids`. */
export interface DeclaredRequest {
  readonly method: string;
  readonly path: string;
  /** The required query; empty, or with its question mark. */
  readonly query: string;
  readonly body: string | undefined;
}

/** Values for the parameters of paths and for the fields of bodies, by their names. */
function valuesOf(ids: WorldIds): Readonly<Record<string, string | number>> {
  return {
    store_id: ids.storeId,
    inventory_system_id: ids.systemId,
    integration_id: ids.integrationId,
    pos_id: ids.posId,
    upload_id: ids.uploadId,
    rollout_id: ids.rolloutId,
    delivery_id: ids.deliveryId,
    change_id: ids.changeId,
    user_id: 'usr_1',
    type: 2,
    url: RECEIVER_URL,
    q: ids.storeId,
  };
}

/**
 * Fills the route's template and its example body. Throws for a path parameter without a value: if a new route has a
 * new kind of id, add the owner's value to `valuesOf`.
 */
export function declaredRequest(route: RouteContract, ids: WorldIds): DeclaredRequest {
  const { path, query, body } = declaredParts(route, ids);
  return {
    method: route.method.toUpperCase(),
    path: route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(path[name])),
    query: Object.keys(query).length === 0 ? '' : `?${new URLSearchParams(query)}`,
    body: body && JSON.stringify(body),
  };
}

export interface DeclaredParts {
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body: object | undefined;
}

/** The same request in its parts, for a client of the API. */
export function declaredParts(route: RouteContract, ids: WorldIds): DeclaredParts {
  const isReading = route.id === 'checkLiveMenu';
  const values = valuesOf(isReading ? { ...ids, ...ids.readable } : ids);
  const valueOf = (name: string): [string, string] => {
    if (values[name] === undefined) throw new Error(`no value for the parameter ${name}`);
    return [name, String(values[name])];
  };
  return {
    path: Object.fromEntries(Object.keys(route.parameters).map(valueOf)),
    query: Object.fromEntries((route.query.schema?.required ?? []).map(valueOf)),
    body: route.body.kind === 'json' ? fill(route.body.example as object, values) : undefined,
  };
}

/** Names are unique in the deployment or the account, so each request has another. */
function fill(example: object, values: Readonly<Record<string, string | number>>): object {
  const entries = Object.entries(example).map(([name, value]) => {
    if (name === 'name') return [name, `${String(value)} ${randomUUID()}`];
    return [name, values[name] ?? value];
  });
  return Object.fromEntries(entries);
}

/** Whether the path or the body of the route's request names something that belongs to a user. */
export function namesAnything({ parameters, body }: RouteContract): boolean {
  const fields = body.kind === 'json' ? Object.keys(body.example as object) : [];
  return [...Object.keys(parameters), ...fields].some((name) => name.endsWith('_id'));
}

export interface WireAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

const agent = new Agent({ keepAlive: true, maxSockets: 16 });

/** Sends a request whose target is not touched on its way, from an address of this machine's own network. */
export async function sendAsIs(
  url: string,
  {
    method,
    path,
    headers = {},
    body,
    from = '127.0.0.1',
  }: {
    readonly method: string;
    readonly path: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string | undefined;
    readonly from?: string;
  },
): Promise<WireAnswer> {
  const { hostname, port } = new URL(url);
  // For some methods Node would send a body without saying how long it is.
  const framed = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  return new Promise((resolve, reject) => {
    const sending = sendRequest(
      {
        hostname,
        port,
        agent,
        method,
        path,
        headers: { ...framed, ...headers },
        localAddress: from,
      },
      (response) => {
        const { statusCode: status = 0, headers: received } = response;
        textOf(response).then((text) => resolve({ status, headers: received, text }), reject);
      },
    );
    sending.once('error', reject);
    sending.end(body);
  });
}
