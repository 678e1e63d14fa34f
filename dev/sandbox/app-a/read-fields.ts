import { refuse } from './broken-rule';

export type Fields = Readonly<Record<string, unknown>>;

/** Readers of single fields; each refuses the menu if its field is not what the app requires. */

export function readFields(value: unknown, where: string): Fields {
  if (value === undefined) refuse(`Missing Field: ${where}`);
  if (!isFields(value)) refuse(`Invalid Request: ${where} must be an object`);
  return value;
}

/** An absent optional object has no fields. */
export function readOptionalFields(value: unknown, where: string): Fields {
  return value === undefined ? {} : readFields(value, where);
}

export function readList(value: unknown, where: string): readonly unknown[] {
  if (value === undefined) refuse(`Missing Field: ${where}`);
  if (!Array.isArray(value)) refuse(`Invalid Request: ${where} must be a list`);
  return value;
}

export function readOptionalList(value: unknown, where: string): readonly unknown[] {
  return value === undefined ? [] : readList(value, where);
}

export function readString(value: unknown, where: string): string {
  if (value === undefined || value === '') refuse(`Missing Field: ${where}`);
  if (typeof value !== 'string') refuse(`Invalid Request: ${where} must be a string`);
  return value;
}

export function readOptionalString(value: unknown, where: string): void {
  if (value !== undefined && typeof value !== 'string') {
    refuse(`Invalid Request: ${where} must be a string`);
  }
}

/** Data that an integrator stores with an entity. */
export function readExternalData(value: unknown, where: string): void {
  readOptionalString(value, where);
  if (typeof value === 'string' && value.length > 1_024) {
    refuse(`Invalid Request: ${where} is too long`);
  }
}

/** Whole and not negative: all that prices and quantities may be. */
export function readCount(value: unknown, what: string): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) {
    refuse(`${what} must be a whole number of at least 0`);
  }
  return value;
}

export function readOneOf<T extends string>(
  value: unknown,
  allowed: readonly T[],
  where: string,
): T {
  const found = allowed.find((candidate) => candidate === value);
  if (found === undefined) refuse(`Invalid Request: ${where} must be ${allowed.join(' or ')}`);
  return found;
}

/** A text in exactly one locale with country, such as `es_mx`. */
export function readText(value: unknown, where: string): void {
  const translations = readFields(
    readFields(value, where)['translations'],
    `${where}.translations`,
  );
  const [only, ...others] = Object.entries(translations);
  if (!only || others.length > 0) refuse(`Invalid Request: ${where} must have one translation`);
  const [locale, text] = only;
  if (!/^[a-z]{2}_[a-z]{2}$/i.test(locale)) {
    refuse(`Invalid Request: ${where} has a locale without country: ${locale}`);
  }
  readString(text, `${where}.translations.${locale}`);
}

export function readOptionalText(value: unknown, where: string): void {
  if (value !== undefined) readText(value, where);
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
