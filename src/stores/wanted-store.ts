import { findCountry } from '../platform/validation/countries';

/* The fields of a store from a checked body, in the form in which they are stored. */

/** The country code in upper case, given in any case. */
export function wantedCountryCode(code: string): string {
  const country = findCountry(code);
  // The schema's format `country-code` uses this same look-up.
  if (!country) throw new Error('a country code that passed its check names no country');
  return country.code;
}

/** An empty text means none. */
export function wantedDirection(text: string | null | undefined): string | null {
  return text || null;
}

export function toDegrees(value: string | number | null | undefined): number | null {
  return value === null || value === undefined ? null : Number(value);
}
