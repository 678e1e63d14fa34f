import type { OutboundResult } from '../../platform/outbound/types';
import { answerText, parseJson } from '../http-outcome';
import { isRecord } from '../is-record';
import { reasonText } from '../reason-text';
import type { PushOutcome } from '../app-client';
import { MOST_RETRIES, VALIDATIONS } from './rules';

const SUFFIX = '_complies';

/** The single sentence of an answer, `{"message":".."}`. */
export function readMessage(text: string): readonly string[] {
  const answer = parseJson(text);
  return isRecord(answer) ? textsIn([answer['message']]) : [];
}

/**
 * One sentence per broken rule of a refused menu, with the SKUs that break it. The app has three forms of bodies: a
 * type with a message, rules that are `false` with the path to the item, and a list of errors.
 */
export function readRefusal(text: string): readonly string[] {
  const answer = parseJson(text);
  if (!isRecord(answer)) return [];
  const errors = listIn(answer['errors']).filter(isRecord).map(errorSentence);
  const rules = Object.keys(answer).filter((key) => isRule(key) && answer[key] === false);
  const found = [...errors, ...rules.map((rule) => ruleSentence(rule, answer))].filter(
    (reason) => reason !== '',
  );
  return found.length > 0 ? found : textsIn([sentence(answer['type'], answer['message'])]);
}

/**
 * Statuses 424 and 500 come from a system behind the app. If their detail names a rule of the app, the menu is
 * refused for good; anything else may be temporary. `undefined` for every other answer.
 */
export function readFailure(result: OutboundResult, token: string): PushOutcome | undefined {
  if (result.kind !== 'response' || (result.status !== 424 && result.status !== 500)) {
    return undefined;
  }
  const answer = parseJson(answerText(result.body));
  const detail = isRecord(answer) && isRecord(answer['detail']) ? answer['detail'] : {};
  const error = isRecord(detail['error']) ? detail['error'] : {};
  const { code, message } = error;
  if (typeof code === 'string' && VALIDATIONS.has(code.replace(/_complies$/, ''))) {
    return { kind: 'rejected', reasons: [reasonText(sentence(code, message), [token])] };
  }
  // Without the app's own text, a 500 is an ordinary server error, which is retried.
  const isOfApp = result.status === 424 || (isRecord(answer) && 'detail' in answer);
  if (!isOfApp) return undefined;
  return { kind: 'retry', reason: `status ${result.status}`, atMost: MOST_RETRIES };
}

/** Most rules have the suffix; one that is not published yet is known by it. */
function isRule(name: string): boolean {
  return name.endsWith(SUFFIX) || VALIDATIONS.has(name);
}

function ruleSentence(rule: string, { path, path_item_details: details }: Json): string {
  const words = textsIn(listIn(details)).join(' ');
  return sentence(rule, withSkus(words, path));
}

function errorSentence({ reason, relatedItems }: Json): string {
  return withSkus(textsIn([reason]).join(''), relatedItems);
}

type Json = Readonly<Record<string, unknown>>;

/** People know POS ids: an SKU is one, or begins with one. */
function withSkus(words: string, items: unknown): string {
  const skus = textsIn(
    listIn(items)
      .filter(isRecord)
      .map(({ sku }) => sku),
  );
  return [words, skus.length > 0 ? `(${skus.join(' > ')})` : ''].filter(Boolean).join(' ');
}

function sentence(what: unknown, why: unknown): string {
  return textsIn([what, why]).join(': ');
}

function textsIn(values: readonly unknown[]): readonly string[] {
  return values.filter((value): value is string => typeof value === 'string' && value !== '');
}

function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
