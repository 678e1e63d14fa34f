import { asciiUpper } from '../../platform/text/ascii-case';
import { parseJson, toOutcome } from '../http-outcome';
import { isRecord } from '../is-record';
import { reasonText } from '../reason-text';
import type { ClientOptions, PollOutcome, PollRequest } from '../app-client';
import { NO_RAPPI_ID, rappiIdOf } from './rappi-id';
import { readRefusal } from './refusal-reasons';
import { APPROVALS, detailsPath } from './rules';
import { send } from './send';

const DAY_MS = 86_400_000;
const NO_REASON = 'The app rejected the menu and gave no reason.';

/**
 * What became of a menu that waits for approval, by the app's list of the store's menus: ours is the first one that was
 * made at or after our push. Without it the app has not taken our menu, or does not list it yet.
 */
export async function pollApproval(
  options: ClientOptions,
  { token, store, pushedAt }: PollRequest,
): Promise<PollOutcome> {
  const rappiId = rappiIdOf(store);
  if (rappiId === undefined) return { kind: 'retry', reason: NO_RAPPI_ID, waits: 'our_side' };
  // A day more on both sides, as the app may count days by the store's clock.
  const days = { from: dayOf(pushedAt.getTime() - DAY_MS), to: dayOf(Date.now() + DAY_MS) };
  const result = await send(options, token, {
    method: 'GET',
    path: `${detailsPath(rappiId)}?${new URLSearchParams(days).toString()}`,
  });
  const outcome = toOutcome<{ readonly kind: 'read'; readonly outcome: PollOutcome }>(result, {
    now: Date.now(),
    secrets: [token],
    success({ text, truncated }) {
      const read = truncated ? undefined : readDetails(text, pushedAt, token);
      return read && { kind: 'read', outcome: read };
    },
    reasons: readRefusal,
  });
  if (outcome.kind === 'read') return outcome.outcome;
  // The app has already accepted the menu: refusing the question (404, for example) does not refuse the menu.
  if (outcome.kind === 'rejected') return { kind: 'retry', reason: outcome.reasons.join(' ') };
  return outcome;
}

/** The day in UTC, yyyy-MM-dd. */
function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** `undefined` for a body that is no list of menus with their times, such as a proxy's page. */
function readDetails(text: string, pushedAt: Date, token: string): PollOutcome | undefined {
  const answer = parseJson(text);
  if (!Array.isArray(answer) || !answer.every(isRecord)) return undefined;
  const menus = answer.map((menu) => ({ ...menu, made: timeOf(menu['created_at']) }));
  if (!menus.every(hasTime)) return undefined;
  const [own] = menus
    .filter(({ made }) => made.ms >= Math.floor(pushedAt.getTime() / made.unitMs) * made.unitMs)
    // The list has the newest first.
    .toReversed()
    .toSorted((one, other) => one.made.ms - other.made.ms);
  return own ? toOutcomeOf(own, token) : { kind: 'running', status: 'no word' };
}

function hasTime<T extends { readonly made: Time | undefined }>(
  menu: T,
): menu is T & { readonly made: Time } {
  return menu.made !== undefined;
}

function toOutcomeOf(
  { status, error_description: why }: Readonly<Record<string, unknown>>,
  token: string,
): PollOutcome {
  switch (typeof status === 'string' ? asciiUpper(status) : '') {
    case APPROVALS.approved:
      return { kind: 'live' };
    case APPROVALS.refused: {
      const reason = typeof why === 'string' ? reasonText(why, [token]) : '';
      return { kind: 'rejected', reasons: [reason === '' ? NO_REASON : reason] };
    }
    default:
      return { kind: 'running', status: 'waiting' };
  }
}

interface Time {
  /** ms since epoch */
  readonly ms: number;
  /** To the second, or to the ms where the app writes parts of one. */
  readonly unitMs: 1 | 1_000;
}

const DATE_TIME = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(\.\d{1,9})? ?(Z|[+-]\d\d:?\d\d)?$/i;

/** `undefined` if it is no date-time. One without an offset is in UTC. */
function timeOf(value: unknown): Time | undefined {
  const [, day, time, fraction = '', offset = 'Z'] =
    (typeof value === 'string' && DATE_TIME.exec(value)) || [];
  if (day === undefined || time === undefined) return undefined;
  const zone = offset.replace(/^([+-]\d\d)(\d\d)$/, '$1:$2');
  const ms = Date.parse(`${day}T${time}${fraction.slice(0, 4)}${zone}`);
  return Number.isNaN(ms) ? undefined : { ms, unitMs: fraction === '' ? 1_000 : 1 };
}
