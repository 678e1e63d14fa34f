import { asciiLower } from '../../platform/text/ascii-case';
import { boundaryOf } from './multipart';
import type { BodyRule } from './request-body';

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json[ \t]*(?:;|$)/i;
const FORM_TYPE = /^application\/x-www-form-urlencoded[ \t]*(?:;|$)/i;

/** Whether the content type is that of the body that a route declares; any is, where nothing is read. */
export function isRightType(rule: BodyRule<unknown>, contentType: string): boolean {
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
 * Whether requests with this body take a place among those at work. The small forms of the console are few, and help
 * out of a full process.
 */
export function isWork(rule: BodyRule<unknown>): boolean {
  if (rule.kind === 'form') return rule.encoding === 'multipart';
  return rule.kind === 'json' || rule.kind === 'signed';
}
