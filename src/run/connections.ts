import { BOUNDS } from '../platform/admission/bounds';

/**
 * Connections to Postgres of an API process. Requests that only read, however slow and many, leave some to those that
 * write; pages of the console, which run many statements at once, leave some to the reads of callers.
 */
export const CONNECTIONS = { all: BOUNDS.connections.limit, reads: 14, pages: 6 } as const;

/** The pool of a worker process besides those of its consumer (`CONSUMER_CONNECTIONS`). */
export const WORKER_POOL = { max: 20, applicationName: 'pos-integrations-worker' } as const;

/** How the service names itself to delivery apps, receivers and POS. */
export const USER_AGENT = 'pos-integrations/1';
