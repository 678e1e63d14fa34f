/** How many pushes of this worker are under way to each integration. */
export interface PushRooms {
  /** Takes a place among the `limit` of the integration; false = all are taken. */
  enter(integrationId: number, limit: number): boolean;
  leave(integrationId: number): void;
  /** Places that are free now. */
  free(integrationId: number, limit: number): number;
}

/** Counted by integration, so that an app that hangs uses up its own places and nobody else's. */
export function createPushRooms(): PushRooms {
  const taken = new Map<number, number>();
  const takenOf = (integrationId: number) => taken.get(integrationId) ?? 0;
  const free = (integrationId: number, limit: number) =>
    Math.max(0, limit - takenOf(integrationId));
  return {
    free,
    enter(integrationId, limit) {
      if (free(integrationId, limit) === 0) return false;
      taken.set(integrationId, takenOf(integrationId) + 1);
      return true;
    },
    leave(integrationId) {
      const left = takenOf(integrationId) - 1;
      if (left > 0) taken.set(integrationId, left);
      else taken.delete(integrationId);
    },
  };
}
