import { cleanText } from './clean-text';

/** More than a person at a till will read. */
const LONGEST_MESSAGE = 500;

/**
 * The `message` of a receiver's JSON answer, a string or an array of strings, cleaned and at most 500 characters;
 * null when there is none. Blank counts as none: `{"message":""}` is what frameworks answer for an unknown path.
 */
export function receiverMessage(text: string): string | null {
  const strings = messageStrings(parseJson(text));
  const message = strings.map((each) => cleanText(each, LONGEST_MESSAGE)).join(' ');
  return cleanText(message, LONGEST_MESSAGE) || null;
}

function messageStrings(answer: unknown): readonly string[] {
  if (typeof answer !== 'object' || answer === null || !Object.hasOwn(answer, 'message')) return [];
  const { message } = answer as { readonly message: unknown };
  if (typeof message === 'string') return [message];
  // All strings or nothing: an array of objects is some other protocol's list of errors.
  return Array.isArray(message) && message.every((each) => typeof each === 'string') ? message : [];
}

function parseJson(text: string): unknown {
  try {
    // PHP files saved with a byte order mark put one in front of everything that they answer.
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return null;
  }
}
