import { networkOf } from '../client-address';
import type { RequestContext } from '../state';

/** Whom a request's share is counted with: its user, or the network of its address while that is not known. */
export type CallerKey = string;

export function callerKeyOf({ state }: Pick<RequestContext, 'state'>): CallerKey {
  // Set by the guard that finds the user; requests of strangers have none.
  const caller = state.caller as typeof state.caller | undefined;
  return caller?.userId ?? networkOf(state.address);
}
