import { isUtf8 } from 'node:buffer';
import { AppError } from '../../platform/errors';
import { countValues, hasUnstorableText } from './json-text';

export interface ParsedJson {
  readonly value: unknown;
  /** Without a byte order mark. */
  readonly text: string;
  /** The number of values in it. */
  readonly values: number;
}

/**
 * The JSON object in the bytes of a body. Throws the 400 if there is none or it cannot be stored. Checks encoding,
 * depth and number of values, emptiness, syntax, unstorable characters and type, in this order.
 */
export function parseJson(bytes: Buffer): ParsedJson {
  if (!isUtf8(bytes)) throw bad('The request body is not valid UTF-8.');
  const values = countValues(bytes);
  if (values === 'too_deep') throw bad('The request body is nested too deeply.');
  if (values === 'too_many') {
    throw new AppError('too_many_values', 'The request body has too many values.');
  }
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
  return { value, text, values };
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
