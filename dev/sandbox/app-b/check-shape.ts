import type { Report } from './menu-error';
import { parseUrl } from '../../../src/platform/text/parse-url';

/** Checks one value and reports what is wrong; `path` is its JSON pointer. */
export type Check = (value: unknown, path: string, report: Report) => void;

interface Fields {
  readonly required?: Readonly<Record<string, Check>>;
  readonly optional?: Readonly<Record<string, Check>>;
}

export function object({ required = {}, optional = {} }: Fields, ...whole: Check[]): Check {
  const known = new Map(Object.entries({ ...required, ...optional }));
  return (value, path, report) => {
    if (!isObject(value)) return report('wrong_type', path, 'must be an object');
    for (const key of Object.keys(required)) {
      if (!Object.hasOwn(value, key)) report('missing_field', `${path}/${key}`, 'is required');
    }
    for (const [key, field] of Object.entries(value)) {
      const check = known.get(key);
      const at = `${path}/${escaped(key)}`;
      if (check) check(field, at, report);
      else report('unknown_field', at, 'is not known');
    }
    for (const check of whole) check(value, path, report);
  };
}

/** As a token of a JSON pointer (RFC 6901). */
function escaped(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

export function array(element: Check, ...whole: Check[]): Check {
  return (value, path, report) => {
    if (!Array.isArray(value)) return report('wrong_type', path, 'must be an array');
    value.forEach((one, index) => element(one, `${path}/${index}`, report));
    for (const check of whole) check(value, path, report);
  };
}

/** A string whose length in code points is within bounds. */
export function text(min: number, max: number): Check {
  return (value, path, report) => {
    if (typeof value !== 'string') return report('wrong_type', path, 'must be a string');
    const length = Array.from(value).length;
    if (length >= min && length <= max) return;
    report('text_too_long', path, `must have ${min} to ${max} characters`);
  };
}

export const id: Check = (value, path, report) => {
  if (typeof value !== 'string') report('wrong_type', path, 'must be a string');
  else if (value === '') report('missing_field', path, 'must not be empty');
};

export const price: Check = (value, path, report) => {
  if (typeof value !== 'string') return report('wrong_type', path, 'must be a string');
  if (!/^\d+\.\d{2}$/.test(value)) report('invalid_price', path, 'must look like 10.30');
};

export const integer: Check = (value, path, report) => {
  if (!Number.isInteger(value)) report('wrong_type', path, 'must be a whole number');
};

export const imageUrl: Check = (value, path, report) => {
  if (typeof value !== 'string') return report('wrong_type', path, 'must be a string');
  // As RFC 3986 writes a URL: a blank or an umlaut has no place in it.
  const valid = parseUrl(value) !== null && /^https:\/\/[!-~]+$/.test(value);
  if (!valid) report('invalid_image_url', path, 'must be an https URL');
};

/** Reports every id that was there before, at its second place. */
export function uniqueIds(idOf: (element: unknown) => unknown): Check {
  return (value, path, report) => {
    const seen = new Set<unknown>();
    for (const [index, element] of (Array.isArray(value) ? value : []).entries()) {
      const found = idOf(element);
      if (typeof found !== 'string') continue;
      if (seen.has(found)) report('duplicate_id', `${path}/${index}`, `repeats ${found}`);
      seen.add(found);
    }
  };
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
