import pino from 'pino';

export type Log = pino.Logger;

/**
 * One JSON line per unit of work. Nothing that is logged may hold a body, a token, a secret or a signature;
 * the redaction below is the second lock on that door, not the first.
 */
export function createLog(level: string, destination?: pino.DestinationStream): Log {
  const options: pino.LoggerOptions = {
    level,
    base: null,
    redact: {
      paths: ['*.authorization', '*.token', '*.secret', '*.clientSecret', '*.credential'],
      censor: '[redacted]',
    },
    timestamp: pino.stdTimeFunctions.isoTime,
  };
  return pino(options, destination ?? bufferedOutput());
}

/** A line is written this long after it was logged, ms; what a process that is killed has not written is lost. */
const WRITE_AFTER_MS = 200;
/** Or as soon as so many bytes wait. */
const WRITE_FROM_BYTES = 8_192;

/**
 * Standard output, a few lines at a time. Each write of its own goes through a thread and wakes the process once more,
 * at twenty requests a second for each of them. A process that ends in any order writes all it has.
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
    // The logger calls it after a fatal line.
    flushSync: () => output.flushSync(),
  };
  return buffered;
}
