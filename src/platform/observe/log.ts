import pino from 'pino';
import {
  isRefusedByPooler,
  isUnreachable,
  REFUSED_BY_POOLER,
} from '../db/connection/postgres-away-error';

export type Log = pino.Logger;

/**
 * One JSON line per unit of work. Log no body, token, secret or signature; the redaction below is only a second
 * safeguard.
 */
export function createLog(level: string, destination?: pino.DestinationStream): Log {
  const options: pino.LoggerOptions = {
    level,
    base: null,
    formatters: { log: redacted },
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: describeError },
  };
  return pino(options, destination ?? bufferedOutput());
}

type Fields = Record<string, unknown>;

const SECRETS = ['authorization', 'token', 'secret', 'clientSecret', 'credential'] as const;

/**
 * The fields of a line without the secrets in their objects. pino's own `redact` reads its paths again for each field:
 * that was a seventh of the memory that the API allocated for an event, and most of that for a line.
 */
function redacted(fields: Fields): Fields {
  let safe = fields;
  for (const [name, value] of Object.entries(fields)) {
    const shown = name === 'err' ? value : withoutSecrets(value); // the serializer's
    if (shown === value) continue;
    if (safe === fields) safe = { ...fields };
    safe[name] = shown;
  }
  return safe;
}

function withoutSecrets(value: unknown): unknown {
  if (!isObject(value)) return value;
  const secrets = SECRETS.filter((name) => name in value);
  if (secrets.length === 0) return value;
  return { ...value, ...Object.fromEntries(secrets.map((name) => [name, '[redacted]'])) };
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}

/**
 * An error with its stack. While Postgres cannot be reached, every part of the process runs into that, and the stacks
 * say nothing: that error is one sentence.
 */
function describeError(error: unknown): unknown {
  if (isUnreachable(error)) {
    const message = `Postgres cannot be reached (DATABASE_URL): ${error.message || error.code}`;
    return { type: error.name, code: error.code, message };
  }
  if (isRefusedByPooler(error)) {
    return { type: error.name, code: error.code, message: REFUSED_BY_POOLER };
  }
  // The error may come from another realm; anything else stays as it is.
  return withoutSecrets(pino.stdSerializers.err(error as Error));
}

/** A line is written at most this long after it was logged, ms; a killed process loses its unwritten lines. */
const WRITE_AFTER_MS = 200;
/** Or as soon as this many bytes wait. */
const WRITE_FROM_BYTES = 8_192;

/**
 * Standard output, several lines per write. Each write goes through a thread and wakes the process again, which would
 * happen for each of twenty requests a second. A process that exits in any orderly way writes all its lines.
 */
function bufferedOutput(): pino.DestinationStream {
  const output = pino.destination({
    fd: process.stdout.fd,
    sync: false,
    minLength: WRITE_FROM_BYTES,
  });
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    timer = undefined;
    output.flush();
  };
  const buffered = {
    write(line: string): void {
      output.write(line);
      timer ??= setTimeout(flush, WRITE_AFTER_MS).unref();
    },
    // The logger calls this after a fatal line.
    flushSync: () => output.flushSync(),
  };
  return buffered;
}
