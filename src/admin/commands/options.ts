import { InvalidArgumentError } from 'commander';
import { LIMITS } from '../../../schemas/limits';
import { firstCodePoints } from '../../platform/text/clean-text';

/** Prints the single result of a command. */
export type Print = (result: unknown) => void;

/** The value of a secret option: as given, or for `-` read from standard input, without its last line end. */
export type ReadSecret = (given: string) => Promise<string>;

/** For an option that names something for people. */
export function shownName(text: string): string {
  const isTooLong = firstCodePoints(text, LIMITS.name) !== text;
  if (text.trim() === '' || isTooLong || /\p{Cc}/u.test(text)) {
    throw new InvalidArgumentError(
      `It must have 1 to ${LIMITS.name} characters, and none of them may be a control character.`,
    );
  }
  return text;
}

/** For an option that takes any text: an empty one is most likely a variable of the shell that is not set. */
export function givenText(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('It must not be empty.');
  return text;
}

/** For an option that takes a number from 1. */
export function positiveInteger(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}
