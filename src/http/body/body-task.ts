import { AppError, type ErrorCode } from '../../platform/errors';

import type { JsonBody, JsonReading, ReadSettings } from './request-body';

/** A body to read, as it is sent to a thread. */
export interface BodyTask {
  /** The name in the body's declaration. */
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly settings: ReadSettings;
}

/** A thread's answer: errors lose their class when they are sent. */
export type BodyTaskResult =
  | { readonly kind: 'read'; readonly reading: JsonReading<unknown> }
  | { readonly kind: 'malformed'; readonly code: ErrorCode; readonly sentences: readonly string[] };

/** By name, the bodies that may be too large to be read in the event loop. */
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
