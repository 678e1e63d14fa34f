import { AppError, type ErrorCode } from '../errors';
import { LARGE_BODIES } from './large-bodies';
import type { JsonReading, ReadSettings } from './request-body';

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

/** Reads a body in a thread. */
export function readBodyTask({ name, bytes, settings }: BodyTask): BodyTaskResult {
  const rule = LARGE_BODIES.get(name);
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
