import type { IncomingHttpHeaders } from 'node:http';
import { asciiLower } from '../../platform/text/ascii-case';
import { boundaryOf } from './multipart';
import type { BodyRule } from './request-body';

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json[ \t]*(?:;|$)/i;
const FORM_TYPE = /^application\/x-www-form-urlencoded[ \t]*(?:;|$)/i;

/** What is wrong with the head of a request with a body. */
export type HeadFault = 'type' | 'encoding' | 'length';

/** The first thing that is wrong with a head, for the body that a route declares; undefined if nothing is. */
export function headFault(
  rule: BodyRule<unknown>,
  headers: IncomingHttpHeaders,
): HeadFault | undefined {
  if (!isRightType(rule, headers['content-type'] ?? '')) return 'type';
  if (rule.kind === 'json' && encodingOf(headers['content-encoding'] ?? '') === undefined) {
    return 'encoding';
  }
  return 'maxBytes' in rule && lengthOf(headers) > rule.maxBytes ? 'length' : undefined;
}

/** The declared length of a body, 0 if there is none. */
export function lengthOf(headers: IncomingHttpHeaders): number {
  return Number(headers['content-length'] ?? 0);
}

/** Whether the content type is that of the body that a route declares; any is, where nothing is read. */
function isRightType(rule: BodyRule<unknown>, contentType: string): boolean {
  switch (rule.kind) {
    case 'json':
      return JSON_TYPE.test(contentType);
    case 'form':
      return rule.encoding === 'multipart'
        ? boundaryOf(contentType) !== undefined
        : FORM_TYPE.test(contentType);
    case 'signed':
    case 'none':
    case 'empty':
      return true;
  }
}

/** How JSON of this content encoding is read; undefined if it cannot be. */
export function encodingOf(contentEncoding: string): 'plain' | 'gzip' | undefined {
  switch (asciiLower(contentEncoding)) {
    case '':
    case 'identity':
      return 'plain';
    case 'gzip':
    case 'x-gzip':
      return 'gzip';
    default:
      return undefined;
  }
}

/**
 * Whether requests with this body take a permit of those at work. The small forms of the console are few, and help
 * out of a full process.
 */
export function isWork(rule: BodyRule<unknown>): boolean {
  if (rule.kind === 'form') return rule.encoding === 'multipart';
  if (rule.kind === 'empty') return rule.standsForBody === true;
  return rule.kind === 'json' || rule.kind === 'signed';
}
