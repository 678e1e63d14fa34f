import type { Sql } from '../platform/db/client';
import type { EventStore, EventStoreQuestion } from './sql/event-routes';

/** The remembered part of a route. */
type KnownRoute = Pick<EventStore, 'targets' | 'targetsText'>;

/**
 * Where events of a store went last time, in this process. It may be out of date: the statement that writes an event
 * checks it, and writes nothing if it is. So every event but the first saves a lookup, and a change still takes
 * effect for the very next event.
 */
interface RouteMemory {
  find(question: EventStoreQuestion): KnownRoute | undefined;
  remember(question: EventStoreQuestion, route: KnownRoute): void;
  forget(question: EventStoreQuestion): void;
}

const MOST_ROUTES = 10_000;

const memories = new WeakMap<Sql, RouteMemory>();

/** The memory of the process for this database. */
export function routesOf(sql: Sql): RouteMemory {
  const known = memories.get(sql.forAll());
  if (known) return known;
  const memory = createRouteMemory(MOST_ROUTES);
  memories.set(sql.forAll(), memory);
  return memory;
}

function keyOf({ userId, storeId, type }: EventStoreQuestion): string {
  return `${userId}/${storeId}/${type}`;
}

/** Forgets everything when it is full. */
export function createRouteMemory(most: number): RouteMemory {
  const routes = new Map<string, KnownRoute>();
  return {
    find: (question) => routes.get(keyOf(question)),
    remember(question, { targets, targetsText }) {
      if (routes.size >= most) routes.clear();
      routes.set(keyOf(question), { targets, targetsText });
    },
    forget(question) {
      routes.delete(keyOf(question));
    },
  };
}
