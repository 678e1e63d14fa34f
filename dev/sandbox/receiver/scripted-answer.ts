/** The answer to the next requests, in the form of `POST _sandbox/answers`. */
export interface ScriptedAnswer {
  readonly status: number;
  /** A string is sent unchanged, anything else as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** How long the answer is held back, ms. */
  readonly delay_ms?: number;
  /** How many requests get it; 1 when absent. */
  readonly times?: number;
  /** Only requests to this path, such as `/receiver/slow`; any path when absent. */
  readonly path?: string;
}

type Check = readonly [key: keyof ScriptedAnswer, holds: (value: unknown) => boolean, rule: string];

const CHECKS: readonly Check[] = [
  ['status', integerFrom(200, 599), 'a whole number from 200 to 599'],
  ['headers', isStringRecord, 'an object of strings'],
  // setTimeout takes no more than 2^31 - 1, and fires at once when given more.
  ['delay_ms', integerFrom(0, 2_147_483_647), 'a whole number of ms'],
  ['times', integerFrom(1, Number.MAX_SAFE_INTEGER), 'a whole number from 1'],
  ['path', (value) => typeof value === 'string' && value.startsWith('/'), 'a path'],
];

const KEYS: readonly string[] = ['status', 'body', 'headers', 'delay_ms', 'times', 'path'];

/** A scripted answer from parsed JSON, or a sentence that says what is wrong with it. */
export function readScriptedAnswer(value: unknown): ScriptedAnswer | string {
  if (!isRecord(value)) return 'The answer must be an object.';
  const unknown = Object.keys(value).find((key) => !KEYS.includes(key));
  // A misspelt key would make a test pass for the wrong reason.
  if (unknown !== undefined) return `The answer knows no ${unknown}.`;
  for (const [key, holds, rule] of CHECKS) {
    const given = value[key];
    const absent = given === undefined && key !== 'status';
    if (!absent && !holds(given)) return `The ${key} must be ${rule}.`;
  }
  return value as unknown as ScriptedAnswer;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isStringRecord(value: unknown): boolean {
  return isRecord(value) && Object.values(value).every((each) => typeof each === 'string');
}

function integerFrom(min: number, max: number): (value: unknown) => boolean {
  return (value) => Number.isInteger(value) && Number(value) >= min && Number(value) <= max;
}
