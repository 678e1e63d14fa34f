import type { AppCall } from '../app-simulator';
import { isJsonObject, type Json } from './menu-checks';

/**
 * Reads the JSON object of a call; `undefined` if there is none. Parses each body once, although the record needs its
 * token and the answer its menu: a large one takes tens of milliseconds.
 */
export function createBodyParser(): (call: AppCall) => Json | undefined {
  const parsed = new WeakMap<AppCall, Json | undefined>();
  return (call) => {
    if (!parsed.has(call)) parsed.set(call, parseObject(call.body));
    return parsed.get(call);
  };
}

function parseObject(body: Buffer): Json | undefined {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
