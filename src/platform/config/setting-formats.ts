import { readFileSync } from 'node:fs';
import { parseUrl } from '../text/parse-url';
import { parseDuration, parseDurations } from './durations';
import { parseSize } from './sizes';

/** How a setting is written, and its value. */
export interface SettingFormat<T> {
  /** The allowed values as text for the table of settings; empty if any text is allowed. */
  readonly allowed: string;
  /** Turns the text into the value, or throws an Error that says what is expected and never quotes the text. */
  readonly parse: (text: string) => T;
}

export const text: SettingFormat<string> = { allowed: '', parse: (value) => value };

/** The origin of a URL, `https://host:port`. */
export const origin: SettingFormat<string> = {
  allowed: '',
  parse(value) {
    const url = parseUrl(value);
    // Compared as parsed: a port that goes without saying (`http://host:80`) is not in what the parser gives back.
    const isOrigin =
      url !== null && /^https?:\/\/[^/]+\/?$/i.test(value) && url.href === `${url.origin}/`;
    if (!isOrigin) throw new Error('must be an origin, such as https://pos.example.com');
    return url.origin;
  },
};

/** The path of a file → its bytes, read at startup, so that an unreadable file is reported at once. */
export const file: SettingFormat<Buffer> = {
  allowed: '',
  parse(path) {
    try {
      return readFileSync(path);
    } catch {
      throw new Error('must be the path of a file that can be read');
    }
  },
};

/** Base64 → the 32 bytes of a key. */
export const encryptionKey: SettingFormat<Buffer> = {
  allowed: '',
  parse(value) {
    const key = Buffer.from(value, 'base64');
    if (key.length !== 32) throw new Error('must be base64 of exactly 32 bytes');
    return key;
  },
};

/** The value of `format`, or null for an empty text. */
export function optional<T>({ allowed, parse }: SettingFormat<T>): SettingFormat<T | null> {
  return { allowed, parse: (value) => (value === '' ? null : parse(value)) };
}

export function integer(least: number, most: number): SettingFormat<number> {
  return {
    allowed: `${least} – ${most}`,
    parse(value) {
      const number = Number(value);
      if (!/^\d+$/.test(value) || number < least || number > most) {
        throw new Error(`must be a whole number from ${least} to ${most}`);
      }
      return number;
    },
  };
}

export function oneOf<T extends string>(...values: readonly T[]): SettingFormat<T> {
  return {
    allowed: values.map((each) => `\`${each}\``).join(' '),
    parse(value) {
      const found = values.find((each) => each === value);
      if (found === undefined) throw new Error(`must be one of ${values.join(', ')}`);
      return found;
    },
  };
}

const trueOrFalse = oneOf('true', 'false');
export const boolean: SettingFormat<boolean> = {
  allowed: trueOrFalse.allowed,
  parse: (value) => trueOrFalse.parse(value) === 'true',
};

/** A duration within two bounds, all in the form of `parseDuration` → milliseconds. */
export function duration(least: string, most: string): SettingFormat<number> {
  return between(parseDuration, least, most);
}

/** A number of bytes within two bounds, all in the form of `parseSize`. */
export function size(least: string, most: string): SettingFormat<number> {
  return between(parseSize, least, most);
}

function between(
  parse: (value: string) => number,
  least: string,
  most: string,
): SettingFormat<number> {
  const [min, max] = [parse(least), parse(most)];
  return {
    allowed: `\`${least}\` – \`${most}\``,
    parse(value) {
      const number = parse(value);
      if (number < min || number > max) throw new Error(`must be from ${least} to ${most}`);
      return number;
    },
  };
}

/** Times separated by commas, each within the bounds, at most `count` of them → milliseconds, in order. */
export function durations(
  least: string,
  most: string,
  count: number,
): SettingFormat<readonly number[]> {
  const [min, max] = [parseDuration(least), parseDuration(most)];
  return {
    allowed: `1 – ${count} of \`${least}\` – \`${most}\``,
    parse(value) {
      const times = parseDurations(value);
      if (times.length > count) throw new Error(`must be at most ${count} durations`);
      if (times.some((each) => each < min || each > max)) {
        throw new Error(`must be durations from ${least} to ${most}`);
      }
      return times;
    },
  };
}
