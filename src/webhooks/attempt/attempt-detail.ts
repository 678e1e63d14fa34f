import { readAnswerText } from '../../platform/outbound/answer-text';
import type { OutboundResult } from '../../platform/outbound/types';
import { cleanText } from '../../platform/text/clean-text';
import { redact } from '../../platform/text/redact';
import { parseUrl } from '../../platform/text/parse-url';

type Answer = Extract<OutboundResult, { kind: 'response' }>;

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const LONGEST_DETAIL = 500;

/**
 * What is wrong with an attempt, in words for the owner of the webhook, who sees no log; null if code and status say it
 * all. Where a redirect leads is shown without its query, which may hold a key. `secrets`: of the request; a path may
 * repeat them.
 */
export function attemptDetail(
  result: OutboundResult,
  url: string,
  secrets: readonly string[],
): string | null {
  const detail = result.kind === 'failed' ? result.detail : detailOfAnswer(result, url);
  return detail && (cleanText(redact(detail, secrets), LONGEST_DETAIL) || null);
}

function detailOfAnswer(answer: Answer, url: string): string | null {
  if (REDIRECTS.has(answer.status)) return placeOf(answer.headers['location'], url);
  if (answer.broken) return answer.broken.detail;
  if (answer.detail !== undefined) return answer.detail;
  // Only a refusal is read.
  if (answer.status < 400) return null;
  if (answer.truncated) return 'the answer is too large';
  const { unknownCharset } = readAnswerText(answer);
  return unknownCharset === null ? null : `the charset ${unknownCharset} is not known`;
}

function placeOf(location: string | undefined, url: string): string {
  if (location === undefined || location.trim() === '') return 'no Location';
  const to = parseUrl(location, url);
  if (to === null) return 'the Location is no URL';
  const { origin, protocol, pathname } = to;
  // Only the schemes of the web have an origin.
  return `redirected to ${origin === 'null' ? protocol : origin}${pathname}`;
}
