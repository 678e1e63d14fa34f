import type { OutboundRequest } from '../../src/platform/outbound/types';

type Step = string | number;

/** Another value at a path of the payload, such as `items.0.price`; a function is given the old one. */
export function set(path: string, value: unknown): (payload: object) => unknown {
  return (payload) => changed(payload, path.split('.'), value);
}

/** The field at a path is left out. */
export function drop(path: string): (payload: object) => unknown {
  return set(path, undefined);
}

/** The list at a path with one more element, made of its first. */
export function repeat(path: string, differences: object = {}): (payload: object) => unknown {
  return set(path, (list: readonly object[]) =>
    typeof list[0] === 'string' ? [...list, list[0]] : [...list, { ...list[0], ...differences }],
  );
}

function changed(json: unknown, [step, ...rest]: readonly Step[], value: unknown): unknown {
  if (step === undefined) {
    return typeof value === 'function' ? (value as (old: unknown) => unknown)(json) : value;
  }
  if (Array.isArray(json)) {
    return json.map((one, at) => (at === Number(step) ? changed(one, rest, value) : one));
  }
  const fields = { ...(json as Record<string, unknown>) };
  const field = changed(fields[step], rest, value);
  if (field === undefined) delete fields[step];
  else fields[step] = field;
  return fields;
}

type Change = (request: OutboundRequest) => OutboundRequest;

/** Changes the requests whose method and path match, such as `PUT /menus`. */
export function where(pattern: RegExp, change: Change): Change {
  return (request) =>
    pattern.test(`${request.method} ${new URL(request.url).pathname}`) ? change(request) : request;
}

export const method =
  (name: OutboundRequest['method']): Change =>
  (request) => ({ ...request, method: name });

/** Another text in the place of what matches in the URL. */
export const url =
  (from: RegExp | string, to: string): Change =>
  (request) => ({ ...request, url: request.url.replace(from, to) });

/** Headers in the place of those of the same names; `undefined` leaves one out. */
export function headers(own: Readonly<Record<string, string | undefined>>): Change {
  return (request) => {
    const all = Object.entries({ ...request.headers, ...own });
    return {
      ...request,
      headers: Object.fromEntries(
        all.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
      ),
    };
  };
}

/** Another body, made of the text of the right one. */
export const body =
  (change: (text: string) => string | Buffer): Change =>
  (request) => ({ ...request, body: change(String(request.body ?? '')) });
