import type { Fault, FaultRoute } from './fault';

export interface FaultQueue {
  push(fault: Fault): void;
  /**
   * The next fault for a route and, if it names one, for a store, counted as used; `meets` limits it to those that
   * the caller can perform now.
   */
  take(
    route: FaultRoute,
    storeId: string | null,
    meets?: (fault: Fault) => boolean,
  ): Fault | undefined;
  /** The remaining faults; `times` is what is left of each. */
  list(): readonly Fault[];
  clear(): void;
}

/** First in, first out per route; a fault stays at the head until it was met `times` times. */
export function createFaultQueue(): FaultQueue {
  let queue: Fault[] = [];
  return {
    push: (fault) => {
      queue.push(fault);
    },
    take(route, storeId, meets = () => true) {
      const index = queue.findIndex(
        (fault) =>
          fault.route === route &&
          (fault.storeId === undefined || fault.storeId === storeId) &&
          meets(fault),
      );
      const fault = queue[index];
      if (!fault) return undefined;
      if (fault.times > 1) queue[index] = { ...fault, times: fault.times - 1 };
      else queue.splice(index, 1);
      return fault;
    },
    list: () => [...queue],
    clear: () => {
      queue = [];
    },
  };
}
