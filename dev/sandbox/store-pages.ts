import type { ServerResponse } from 'node:http';
import type { AppSimulator } from './app-simulator';
import type { MenuLog } from './menu-log';
import { readBody } from './read-body';
import type { PartRequest } from './sandbox-part';
import { sendJson } from './send-json';
import type { StoreStates } from './store-states';
import { parseJson } from './read-json';

interface Shops {
  readonly simulator: Pick<AppSimulator, 'knows'>;
  readonly menus: MenuLog;
  readonly stores: StoreStates;
}

const PATH = /^\/_sandbox\/stores\/([^/]+)(\/menu)?$/;

/**
 * The page of one store: `GET _sandbox/stores/{store}` shows what guests see there now; `PUT …/menu` `{payload}` sets
 * another menu, unchecked, as if changed in the app's own tool. False: the path is not such a page.
 */
export async function storePage(
  app: Shops,
  request: PartRequest,
  response: ServerResponse,
): Promise<boolean> {
  const [, encoded, menu] = PATH.exec(request.path) ?? [];
  if (encoded === undefined) return false;
  const storeId = decoded(encoded);
  if (storeId === null || !isKnown(app, storeId)) {
    refuseStore(response);
  } else if (menu === undefined && request.method === 'GET') {
    showStore(app, storeId, response);
  } else if (menu !== undefined && request.method === 'PUT') {
    await putMenu(app, storeId, request, response);
  } else {
    response.setHeader('allow', menu === undefined ? 'GET' : 'PUT');
    sendJson(response, 405, { message: `The page does not know ${request.method}.` });
  }
  return true;
}

/** Whether the app would know the store, or has shown something of it. */
export function isKnown({ simulator, stores }: Omit<Shops, 'menus'>, storeId: string): boolean {
  return simulator.knows(storeId) || stores.has(storeId);
}

/** The answer of every page about a store that the app would not know. */
export function refuseStore(response: ServerResponse): void {
  sendJson(response, 404, { error: 'unknown_store' });
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/** The payload is put in as the text that came, so that long numbers arrive unchanged. */
function showStore({ stores }: Shops, storeId: string, response: ServerResponse): void {
  const shown = stores.shown(storeId);
  const { payload, receivedAt, off, paused, pausedUntil, reason, specialDays } = shown;
  const rest = JSON.stringify({
    received_at: receivedAt,
    off: off.map(({ id, until }) => ({ id, until: iso(until) })),
    paused,
    paused_until: iso(pausedUntil),
    reason,
    special_days: specialDays,
  });
  const head = `{"store_id":${JSON.stringify(storeId)},"payload":${payload?.toString('utf8') ?? 'null'}`;
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(`${head},${rest.slice(1)}`);
}

function iso(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}

async function putMenu(
  app: Shops,
  storeId: string,
  request: PartRequest,
  response: ServerResponse,
): Promise<void> {
  const read = await readBody(request.raw);
  const body = read.kind === 'body' ? parseJson(read.body) : undefined;
  const payload = typeof body === 'object' && body !== null && 'payload' in body ? body.payload : 1;
  if (typeof payload !== 'object') {
    return sendJson(response, 400, { message: 'The payload must be an object or null.' });
  }
  app.menus.replace(storeId, payload && Buffer.from(JSON.stringify(payload)));
  showStore(app, storeId, response);
}
