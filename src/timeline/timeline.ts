import { TIMELINE_KINDS } from '../../schemas/states';

export type TimelineKind = (typeof TIMELINE_KINDS)[number];

/** The place of an entry: newest first, those of one moment by kind and id. */
export interface TimelineKey {
  /** Microseconds since the epoch, which a `Date` cannot hold. */
  readonly atUs: number;
  readonly kind: TimelineKind;
  /** Of an upload, a change, a finding of a reading, or a delivery; of a rollout, that of its first upload to the store. */
  readonly id: string;
}

const KEY = /^(\d{1,16}) ([a-z]+) (\w{1,100})$/;

export function writeKey({ atUs, kind, id }: TimelineKey): string {
  return `${atUs} ${kind} ${id}`;
}

/** Undefined = not the key of an entry. */
export function readKey(text: string): TimelineKey | undefined {
  const [, atUs, named, id] = KEY.exec(text) ?? [];
  const kind = TIMELINE_KINDS.find((each) => each === named);
  return kind && id !== undefined ? { atUs: Number(atUs), kind, id } : undefined;
}
