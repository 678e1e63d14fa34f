import { isUtf8 } from 'node:buffer';
import type { Bound } from '../bounds';
import { AppError } from '../errors';
import { countValues, hasUnstorableText } from './json-text';
import type { ReceivedJson } from './request-body';

/**
 * The JSON object in the bytes of a body. Throws the 400 of what is none or could not be kept: encoding, depth
 * and number of values, emptiness, syntax, unstorable characters, type, in this order. `valuesBound` is told the number of values.
 */
export function parseJson(bytes: Buffer, valuesBound: Bound): ReceivedJson {
  if (!isUtf8(bytes)) throw bad('The request body is not valid UTF-8.');
  const counted = countValues(bytes);
  if (counted === 'too_deep') throw bad('The request body is nested too deeply.');
  if (counted === 'too_many') {
    valuesBound.hit();
    throw bad('The request body has too many values.');
  }
  valuesBound.meet(counted);
  const decoded = bytes.toString('utf8');
  const text = decoded.startsWith('\uFEFF') ? decoded.slice(1) : decoded;
  if (text.trim() === '') throw bad('The request body is empty.');
  const value = parse(text);
  if (hasUnstorableText(text)) {
    throw bad('The request body contains characters that are not allowed.');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw bad('The request body must be an object.');
  }
  return { value, text };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw bad('The request body is not valid JSON.');
  }
}

function bad(sentence: string): AppError {
  return new AppError('malformed_body', sentence);
}
