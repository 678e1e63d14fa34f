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
  return destination ? pino(options, destination) : pino(options);
}
