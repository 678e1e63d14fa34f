import { parseJson, toOutcome } from '../http-outcome';
import { isRecord } from '../is-record';
import type {
  ClientOptions,
  CommonOutcome,
  SpecialDay,
  SpecialDaysOutcome,
  SpecialDaysRequest,
} from '../app-client';
import { rappiIdOf, WITHOUT_RAPPI_ID } from './rappi-id';
import { readRefusal } from './refusal-reasons';
import { NAMELESS_DAY, specialDaysPath } from './rules';
import { send } from './send';

/** A special day as the app has it: by day and month, without a year. */
interface WireDay {
  readonly day: number;
  readonly month: number;
  readonly name: string;
  /** None: closed all day. */
  readonly schedules: readonly { readonly startsTime: string; readonly endsTime: string }[];
}

type KeptDay = WireDay & { readonly id: string };

/**
 * Reads the days that the app has, deletes what is not wanted and creates what is missing, one call each. It may be
 * repeated at any point, because each try begins by reading.
 */
export async function setSpecialDays(
  options: ClientOptions,
  request: SpecialDaysRequest,
): Promise<SpecialDaysOutcome> {
  const rappiId = rappiIdOf(request.store);
  if (rappiId === undefined) return WITHOUT_RAPPI_ID;
  const path = specialDaysPath(rappiId);
  const kept = await readDays(options, request, path);
  if (kept.kind !== 'read') return kept;
  const wanted = new Map(request.days.map(toWire).map((day) => [keyOf(day), day]));
  for (const day of kept.days) {
    if (wanted.delete(keyOf(day))) continue;
    const outcome = await change(options, request, 'DELETE', `${path}/${day.id}`);
    if (outcome.kind !== 'done') return outcome;
  }
  for (const day of wanted.values()) {
    const outcome = await change(options, request, 'POST', path, day);
    if (outcome.kind !== 'done') return outcome;
  }
  return { kind: 'done' };
}

function toWire({ date, periods, name }: SpecialDay): WireDay {
  const [, month, day] = date.split('-').map(Number);
  return {
    day: day ?? 0,
    month: month ?? 0,
    name: name ?? NAMELESS_DAY,
    schedules: periods.map(({ start, end }) => ({
      startsTime: `${start}:00`,
      endsTime: `${end}:00`,
    })),
  };
}

/** Equal for days that guests cannot tell apart. */
function keyOf({ day, month, name, schedules }: WireDay): string {
  const hours = schedules.map(({ startsTime, endsTime }) => `${startsTime}-${endsTime}`).toSorted();
  return JSON.stringify([month, day, name, hours]);
}

async function readDays(
  options: ClientOptions,
  { token }: SpecialDaysRequest,
  path: string,
): Promise<{ readonly kind: 'read'; readonly days: readonly KeptDay[] } | CommonOutcome> {
  const result = await send(options, token, { method: 'GET', path });
  return toOutcome<{ readonly kind: 'read'; readonly days: readonly KeptDay[] }>(result, {
    now: Date.now(),
    secrets: [token],
    success({ text }) {
      const days = daysIn(text);
      return days && { kind: 'read', days };
    },
    reasons: readRefusal,
  });
}

/** A bare list (assumed); undefined for anything else. A day that cannot be read is one that is not wanted. */
function daysIn(text: string): readonly KeptDay[] | undefined {
  const answer = parseJson(text);
  if (!Array.isArray(answer)) return undefined;
  return answer.filter(isRecord).flatMap(({ id, day, month, name, schedules }) => {
    const isNamed = (typeof id === 'string' && /^[\w-]+$/.test(id)) || Number.isSafeInteger(id);
    if (!isNamed) return [];
    const hours = (Array.isArray(schedules) ? schedules : []).filter(isRecord);
    return {
      id: String(id),
      day: Number(day),
      month: Number(month),
      name: typeof name === 'string' ? name : '',
      schedules: hours.map(({ startsTime, endsTime }) => ({
        startsTime: String(startsTime),
        endsTime: String(endsTime),
      })),
    };
  });
}

/** One day more or less. A day to delete that is not there any more is as wanted. */
async function change(
  options: ClientOptions,
  { token }: SpecialDaysRequest,
  method: 'POST' | 'DELETE',
  path: string,
  day?: WireDay,
): Promise<SpecialDaysOutcome> {
  const result = await send(options, token, {
    method,
    path,
    ...(day && { body: JSON.stringify(day) }),
  });
  if (method === 'DELETE' && result.kind === 'response' && result.status === 404) {
    return { kind: 'done' };
  }
  return toOutcome<SpecialDaysOutcome>(result, {
    now: Date.now(),
    secrets: [token],
    success: () => ({ kind: 'done' }),
    reasons: readRefusal,
  });
}
