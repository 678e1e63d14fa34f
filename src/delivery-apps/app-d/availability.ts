import type { OutboundResult } from '../../platform/outbound/types';
import { parseJson, toOutcome } from '../http-outcome';
import { isRecord } from '../is-record';
import { reasonText } from '../reason-text';
import type {
  ClientOptions,
  PauseOutcome,
  PauseRequest,
  SwitchOutcome,
  SwitchRequest,
} from '../app-client';
import type { AvailabilityRules } from '../types';
import { readFailure, readRefusal } from './refusal-reasons';
import { rappiIdOf, WITHOUT_RAPPI_ID } from './rappi-id';
import { ITEMS_PATH, STORES_PATH, STORE_RESULTS } from './rules';
import { send } from './send';

export const APP_D_AVAILABILITY: AvailabilityRules = {
  idsPerCall: 100,
  mixesBoth: true,
  // One a second, minus a margin, because evenly sent requests do not arrive evenly.
  spacingMs: 1_050,
  burst: 1,
  spacedFromAnswer: true,
  // Menus do not contain it: items that are off sale stay off, and new SKUs are on sale.
  repeatsBehindMenus: true,
  daysHaveNoYear: true,
};

/** Up to 100 SKUs in one call, both off and on sale. */
export async function switchItems(
  options: ClientOptions,
  { token, appStoreId, items }: SwitchRequest,
): Promise<SwitchOutcome> {
  const [off, on] = [false, true].map((available) =>
    items.filter((item) => item.available === available).map((item) => item.wireId),
  );
  const body = [
    {
      store_integration_id: appStoreId,
      items: { ...(off?.length && { turn_off: off }), ...(on?.length && { turn_on: on }) },
    },
  ];
  const result = await send(options, token, {
    method: 'PUT',
    path: ITEMS_PATH,
    body: JSON.stringify(body),
  });
  const outcome = toOutcome<SwitchOutcome>(result, {
    now: Date.now(),
    secrets: [token],
    success: ({ text, truncated }) => (truncated ? undefined : readSwitched(text, token)),
    reasons: readListedReasons,
  });
  // 404: one of the items is unknown, but the app does not say which.
  const isUnknown = result.kind === 'response' && result.status === 404;
  return isUnknown && outcome.kind === 'rejected'
    ? { kind: 'one_unknown', reason: outcome.reasons.join(' ') }
    : (readFailureOf(result, token) ?? outcome);
}

/** The start of a page, or of JSON. */
const MARKUP_OR_JSON = /^\s*[<[{"]/;

/**
 * A success is a sentence, as text or in JSON. The app refuses items in a list of messages, whatever the status.
 * `undefined` for an HTML page of a proxy, and for JSON that ends too early.
 */
function readSwitched(text: string, token: string): SwitchOutcome | undefined {
  const answer = parseJson(text);
  if (answer === undefined) return MARKUP_OR_JSON.test(text) ? undefined : { kind: 'switched' };
  const refusals = listedMessages(answer).map((words) => reasonText(words, [token]));
  return refusals.length > 0 ? { kind: 'rejected', reasons: refusals } : { kind: 'switched' };
}

function readFailureOf(result: OutboundResult, token: string): SwitchOutcome | undefined {
  const failure = readFailure(result, token);
  return failure?.kind === 'retry' || failure?.kind === 'rejected' ? failure : undefined;
}

/** Names the store by the app's own id, which only the credential has. */
export async function pauseStore(
  options: ClientOptions,
  { token, store, paused }: PauseRequest,
): Promise<PauseOutcome> {
  const rappiId = rappiIdOf(store);
  if (rappiId === undefined) return WITHOUT_RAPPI_ID;
  const result = await send(options, token, {
    method: 'PUT',
    path: STORES_PATH,
    body: JSON.stringify({ stores: [{ store_id: rappiId, is_enabled: !paused }] }),
  });
  const outcome = toOutcome<{ readonly kind: 'read'; readonly outcome: PauseOutcome }>(result, {
    now: Date.now(),
    secrets: [token],
    success({ text }) {
      const read = readResult(text, token);
      return read && { kind: 'read', outcome: read };
    },
    reasons: readListedReasons,
  });
  return outcome.kind === 'read' ? outcome.outcome : outcome;
}

/** The single result of the single store; an unpublished value is retried. */
function readResult(text: string, token: string): PauseOutcome | undefined {
  const answer = parseJson(text);
  const results = isRecord(answer) && Array.isArray(answer['results']) ? answer['results'] : [];
  const [result] = results.filter(isRecord);
  const type = result?.['operation_result_type'];
  if (typeof type !== 'string') return undefined;
  if (STORE_RESULTS.good.has(type)) return { kind: 'done' };
  const reason = reasonText(type, [token]);
  if (STORE_RESULTS.refused.has(type)) return { kind: 'rejected', reasons: [reason] };
  return { kind: 'retry', reason };
}

/** `[{"message":"Error updating items"}]`, or a refusal in one of the forms of menus. */
function readListedReasons(text: string): readonly string[] {
  const words = listedMessages(parseJson(text));
  return words.length > 0 ? words : readRefusal(text);
}

function listedMessages(answer: unknown): readonly string[] {
  return (Array.isArray(answer) ? answer : [])
    .filter(isRecord)
    .flatMap(({ message }) => (typeof message === 'string' ? [message] : []));
}
