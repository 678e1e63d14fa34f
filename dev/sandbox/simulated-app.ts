import { createStoreStates } from './store-states';
import type { ServerResponse } from 'node:http';
import type { AppCall, AppEnv, AppSimulator, AppSimulatorFactory } from './app-simulator';
import { createControlPages } from './control-pages';
import type { FaultRoute } from './fault';
import { createFaultQueue } from './fault-queue';
import { createMenuLog } from './menu-log';
import { readBody } from './read-body';
import { createRequestLog, type RecordedRequest } from './request-log';
import type { PartRequest, SandboxEnv, SandboxPart, SandboxPartFactory } from './sandbox-part';
import { sendJson } from './send-json';
import { answerWithFaults } from './with-faults';

/** Whose paths and bodies the page of requests shows: those about items or a store. */
const SHOWN_ROUTES: ReadonlySet<FaultRoute> = new Set([
  'availability',
  'change',
  'pause',
  'special_days',
]);
/** Of such a body. */
const SHOWN_BYTES = 4_096;

/** Puts one app's simulator behind HTTP: records requests, performs faults and serves the `_sandbox` pages. */
export function simulateApp(createSimulator: AppSimulatorFactory): SandboxPartFactory {
  return (sandbox: SandboxEnv): SandboxPart => {
    const faults = createFaultQueue();
    // Asked when there is a menu: by then the simulator is there.
    const stores = createStoreStates(sandbox.clock, {
      get keepsOff() {
        return simulator.reader.keepsOff;
      },
      offIn: (payload, now) => simulator.reader.offIn(payload, now),
      itemIds: (payload) => simulator.reader.itemIds(payload),
    });
    const menus = createMenuLog(sandbox.clock, stores);
    const requests = createRequestLog(sandbox.clock);
    const env: AppEnv = { ...sandbox, faults, menus, stores };
    const simulator: AppSimulator = createSimulator(env);
    const pages = createControlPages({ simulator, faults, menus, requests, stores });

    async function handle(request: PartRequest, response: ServerResponse): Promise<void> {
      if (request.path === '/_sandbox/elsewhere') {
        requests.finish(requests.start('elsewhere'), 200);
        return sendJson(response, 200, { error: 'a redirect was followed' });
      }
      if (request.path.startsWith('/_sandbox/')) return pages(request, response);
      const route = simulator.routeOf(request.method, request.path);
      const record = requests.start(route ?? 'unknown');
      let status: number | null = null;
      try {
        status = await answer(request, response, route, record);
      } finally {
        requests.finish(record, status);
      }
    }

    async function answer(
      request: PartRequest,
      response: ServerResponse,
      route: FaultRoute | undefined,
      record: RecordedRequest,
    ): Promise<number | null> {
      const read = await readBody(request.raw);
      if (read.kind === 'refused') return refuse(response, read.status);
      if (!route) return refuse(response, 404);
      const ownRoute = simulator.routeOfBody?.(route, read.body) ?? route;
      record.route = ownRoute;
      const sent: AppCall = {
        route: ownRoute,
        method: request.method,
        path: request.path,
        query: request.query,
        headers: request.raw.headers,
        body: read.body,
      };
      record.store_id = simulator.storeOf(sent);
      if (SHOWN_ROUTES.has(ownRoute)) {
        record.path = request.path;
        record.body = read.body.subarray(0, SHOWN_BYTES).toString('utf8');
      }
      const fault = faults.take(
        ownRoute,
        record.store_id,
        (each) => simulator.meets?.(sent, each) ?? true,
      );
      const call: AppCall = fault ? { ...sent, fault } : sent;
      return answerWithFaults({ env: sandbox, simulator, menus, response }, call);
    }

    return partOf(simulator, handle);
  };
}

function partOf(simulator: AppSimulator, handle: SandboxPart['handle']): SandboxPart {
  return {
    name: simulator.name,
    description: simulator.description,
    handle,
    ...(simulator.close && { close: () => simulator.close?.() ?? Promise.resolve() }),
  };
}

const REFUSALS = {
  400: 'unreadable_body',
  404: 'not_found',
  413: 'body_too_large',
  415: 'content_encoding_not_supported',
} as const;

function refuse(response: ServerResponse, status: keyof typeof REFUSALS): number {
  sendJson(response, status, { error: REFUSALS[status] });
  return status;
}
