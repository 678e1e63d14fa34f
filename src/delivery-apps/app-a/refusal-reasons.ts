import { parseJson } from '../http-outcome';
import { isRecord } from '../is-record';

/**
 * The fields with App A's reason, most informative first: menu calls use `message`, token calls OAuth's two fields.
 */
const REASON_FIELDS = ['message', 'error_description', 'error', 'code'] as const;

/** The app's own reason for a refusal; empty if the body has no known form. */
export function readReasons(text: string): readonly string[] {
  const answer = parseJson(text);
  if (!isRecord(answer)) return [];
  const reason = REASON_FIELDS.map((field) => answer[field]).find(isText);
  return reason === undefined ? [] : [reason];
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
