import { findCountry } from '../platform/validation/countries';

/* The fields of a store as they come in a body whose shape is right, in the form in which they are kept. */

/** The country of a code in any case, in upper case. */
export function wantedCountryCode(code: string): string {
  const country = findCountry(code);
  // The schema's format `country-code` is this very look-up.
  if (!country) throw new Error('a country code that passed its check names no country');
  return country.code;
}

/** An empty text says as little as none. */
export function wantedDirection(text: string | null | undefined): string | null {
  return text || null;
}

export function toDegrees(value: string | number | null | undefined): number | null {
  return value === null || value === undefined ? null : Number(value);
}
