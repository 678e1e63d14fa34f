import type { IncomingMessage } from 'node:http';
import { asciiLower, asciiUpper } from '../../platform/text/ascii-case';
import { headFault, isWork } from '../body/body-head';
import type { RouteContract } from '../route';

/** The segments that ids of ours have; what is written otherwise is left to the router. */
const SEGMENT = String.raw`[\w-]{1,255}`;

/** The route whose work a request asks for; undefined if it asks for none, or is to be refused for its head. */
export type WorkLook = (request: IncomingMessage) => RouteContract | undefined;

/**
 * Makes a look at the head of a request: of which of these routes it asks for work, if nothing in the head calls for
 * another refusal (404, 405, 415, 413, or the 401 of what cannot be a signature). A look takes 0.3 µs of CPU.
 */
export function createWorkLook(routes: readonly RouteContract[]): WorkLook {
  const find = createFinder(routes.filter(({ body }) => isWork(body)));
  return (request) => {
    const route = find(request);
    return route && isRightHead(request, route) ? route : undefined;
  };
}

function createFinder(routes: readonly RouteContract[]) {
  const exact = new Map<string, Map<string, RouteContract>>();
  const templates: { method: string; form: RegExp; route: RouteContract }[] = [];
  for (const route of routes) {
    const { path } = route;
    const method = asciiUpper(route.method);
    if (path.includes('{')) {
      const form = new RegExp(`^${path.replaceAll(/\{\w+\}/g, SEGMENT)}$`);
      templates.push({ method, form, route });
    } else
      exact.set(path, (exact.get(path) ?? new Map<string, RouteContract>()).set(method, route));
  }
  return ({ url = '', method = '' }: IncomingMessage): RouteContract | undefined => {
    const end = url.indexOf('?');
    const path = end === -1 ? url : url.slice(0, end);
    const named = exact.get(path);
    if (named) return named.get(method);
    return templates.find((each) => each.method === method && each.form.test(path))?.route;
  };
}

function isRightHead({ headers }: IncomingMessage, { body, access }: RouteContract): boolean {
  if (access.kind === 'signature') {
    const signature = headers[asciiLower(access.header)];
    if (typeof signature !== 'string' || !access.form.test(signature)) return false;
  }
  return headFault(body, headers) === undefined;
}
