import { isKnown, refuseStore, storePage } from './store-pages';
import type { StoreStates } from './store-states';
import type { ServerResponse } from 'node:http';
import type { AppSimulator } from './app-simulator';
import { COMMON_FAULT_KINDS, parseFault, type Fault } from './fault';
import type { FaultQueue } from './fault-queue';
import type { KeptMenu, MenuLog } from './menu-log';
import { readBody } from './read-body';
import type { RequestLog } from './request-log';
import type { PartRequest } from './sandbox-part';
import { sendJson } from './send-json';

export interface ControlledApp {
  readonly simulator: AppSimulator;
  readonly faults: FaultQueue;
  readonly menus: MenuLog;
  readonly requests: RequestLog;
  readonly stores: StoreStates;
}

type Page = (request: PartRequest, response: ServerResponse) => Promise<void>;

/**
 * The pages beside the app's own: `GET` and `DELETE` of `_sandbox/menus`, `_sandbox/requests` and
 * `_sandbox/faults`, and `POST _sandbox/faults`. Emptying `menus` also makes the app forget what its stores show.
 */
export function createControlPages(app: ControlledApp): Page {
  const pages: Readonly<Record<string, Readonly<Record<string, Page>>>> = {
    '/_sandbox/menus': {
      GET: async (_, response) => sendMenus(response, app.menus.list()),
      DELETE: async (_, response) => cleared(response, app.menus),
    },
    '/_sandbox/requests': {
      GET: async (_, response) => sendJson(response, 200, app.requests.list()),
      DELETE: async (_, response) => cleared(response, app.requests),
    },
    '/_sandbox/faults': {
      GET: async (_, response) => sendJson(response, 200, app.faults.list().map(shown)),
      POST: (request, response) => queueFault(app, request, response),
      DELETE: async (_, response) => cleared(response, app.faults),
    },
    '/_sandbox/timeline': {
      GET: async ({ query }, response) => {
        const storeId = query.get('store_id');
        if (storeId !== null && !isKnown(app, storeId)) return refuseStore(response);
        return sendJson(response, 200, app.stores.timeline(storeId));
      },
      DELETE: async (_, response) => {
        app.stores.clearTimeline();
        response.writeHead(204).end();
      },
    },
  };
  return async (request, response) => {
    if (await storePage(app, request, response)) return;
    const page = pages[request.path];
    if (!page) return sendJson(response, 404, { message: 'There is no such page.' });
    const answer = page[request.method];
    if (answer) return answer(request, response);
    response.setHeader('allow', Object.keys(page).join(', '));
    return sendJson(response, 405, { message: `The page does not know ${request.method}.` });
  };
}

async function queueFault(
  app: ControlledApp,
  request: PartRequest,
  response: ServerResponse,
): Promise<void> {
  const read = await readBody(request.raw);
  const kinds = new Set([...COMMON_FAULT_KINDS, ...app.simulator.ownFaults]);
  const result =
    read.kind === 'body'
      ? parseFault(parseJson(read.body), kinds)
      : { kind: 'invalid' as const, message: 'The body cannot be read.' };
  if (result.kind === 'invalid') return sendJson(response, 400, { message: result.message });
  app.faults.push(result.fault);
  return sendJson(response, 201, { queued: shown(result.fault) });
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** JSON has no Infinity: a fault without end says so. */
function shown(fault: Fault): unknown {
  return { ...fault, times: Number.isFinite(fault.times) ? fault.times : 'always' };
}

function cleared(response: ServerResponse, what: { clear(): void }): void {
  what.clear();
  response.writeHead(204).end();
}

/** Payloads are put in as the text that came, so that long numbers arrive unchanged. */
function sendMenus(response: ServerResponse, menus: readonly KeptMenu[]): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write('[');
  menus.forEach((menu, index) => {
    const { storeId, receivedAt, sha256, bytes } = menu;
    const head = JSON.stringify({ store_id: storeId, received_at: receivedAt, sha256, bytes });
    const payload = menu.payload?.toString('utf8') ?? 'null';
    response.write(`${index ? ',' : ''}${head.slice(0, -1)},"payload":${payload}}`);
  });
  response.end(']');
}
