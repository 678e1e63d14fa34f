import type { DeliveryAppClient } from './app-client';

/** Called after each call of a client: its name, the kind of its result, and how long it took, s. */
export type OnAppCall = (call: string, outcome: string, seconds: number) => void;

/**
 * The same client, but each of its calls is reported when it ends. A call that throws, which is a defect, counts as
 * `threw`.
 */
export function observeClient(client: DeliveryAppClient, onCall: OnAppCall): DeliveryAppClient {
  const observed = Object.entries(client).map(([name, method]) => [
    name,
    async (request: never): Promise<unknown> => {
      const startedAt = performance.now();
      let outcome = 'threw';
      try {
        const result: unknown = await (method as (given: never) => Promise<unknown>)(request);
        outcome = kindOf(result);
        return result;
      } finally {
        onCall(name, outcome, (performance.now() - startedAt) / 1000);
      }
    },
  ]);
  // All its methods, under their own names.
  return Object.fromEntries(observed) as DeliveryAppClient;
}

function kindOf(result: unknown): string {
  const isTold = typeof result === 'object' && result !== null && 'kind' in result;
  return isTold ? String(result.kind) : 'answered';
}
