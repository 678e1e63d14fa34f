/** One request as `_sandbox/requests` shows it; times are ISO 8601 UTC with ms. */
export interface RecordedRequest {
  readonly at: string;
  route: string;
  store_id: string | null;
  /** null while it is being answered, and when it was cut off before a status. */
  status: number | null;
  readonly started_at: string;
  finished_at: string | null;
  /** For calls about items and stores: their path, and the first 4 KB of their body. */
  path?: string;
  body?: string;
}

export interface RequestLog {
  /** Enters a request when it arrives; the returned record is completed by `finish`. */
  start(route: string): RecordedRequest;
  finish(record: RecordedRequest, status: number | null): void;
  list(): readonly RecordedRequest[];
  clear(): void;
}

/** Enough for every test, without growth in a benchmark that runs for hours. */
const MAX_REQUESTS = 10_000;

/** The last 10,000 requests, oldest first. */
export function createRequestLog(clock: () => number): RequestLog {
  const records: RecordedRequest[] = [];
  const now = (): string => new Date(clock()).toISOString();
  return {
    start(route) {
      const at = now();
      const record = {
        at,
        route,
        store_id: null,
        status: null,
        started_at: at,
        finished_at: null,
      };
      records.push(record);
      if (records.length > MAX_REQUESTS) records.shift();
      return record;
    },
    finish(record, status) {
      record.status = status;
      record.finished_at = now();
    },
    list: () => records,
    clear: () => {
      records.length = 0;
    },
  };
}
