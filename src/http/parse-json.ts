import { isUtf8 } from 'node:buffer';
import { AppError } from '../errors';
import { hasUnstorableText, isTooDeep } from './json-text';
import type { ReceivedJson } from './request-body';

/**
 * The JSON object in the bytes of a body. Throws the 400 of what is none or could not be kept: encoding, emptiness,
 * depth, syntax, unstorable characters, type, in this order.
 */
export function parseJson(bytes: Buffer): ReceivedJson {
  if (!isUtf8(bytes)) throw bad('The request body is not valid UTF-8.');
  const decoded = bytes.toString('utf8');
  const text = decoded.startsWith('\uFEFF') ? decoded.slice(1) : decoded;
  if (text.trim() === '') throw bad('The request body is empty.');
  if (isTooDeep(bytes)) throw bad('The request body is nested too deeply.');
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
