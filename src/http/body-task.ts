import { AppError, type ErrorCode } from '../platform/errors';

import type { JsonBody, JsonReading, ReadSettings } from './request-body';

/** A body to read. It goes to a thread as it is. */
export interface BodyTask {
  /** Of the body's declaration. */
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly settings: ReadSettings;
}

/** What a thread answers: errors lose their class on the way. */
export type BodyTaskResult =
  | { readonly kind: 'read'; readonly reading: JsonReading<unknown> }
  | { readonly kind: 'malformed'; readonly code: ErrorCode; readonly sentences: readonly string[] };

/** The bodies that may be so large that reading one would hold the event loop, by their names. */
export type LargeBodies = ReadonlyMap<string, JsonBody<unknown>>;

/** Reads one of `bodies` in a thread. */
export function readBodyTask(
  bodies: LargeBodies,
  { name, bytes, settings }: BodyTask,
): BodyTaskResult {
  const rule = bodies.get(name);
  if (!rule) throw new Error(`${name} is no large body`);
  try {
    const { buffer, byteOffset, byteLength } = bytes;
    const reading = rule.read(Buffer.from(buffer, byteOffset, byteLength), settings);
    return { kind: 'read', reading };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { kind: 'malformed', code: error.code, sentences: error.sentences };
  }
}
