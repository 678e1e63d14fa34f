/*
 * The numbers that a program takes from its environment or its command line, each with a default and an upper bound. A
 * value that is no number in range ends the program with a sentence: a run with another load than the asked one would
 * measure nothing.
 */

/** A whole number from 1 to `most`. */
export function wholeNumber(name: string, fallback: number, most: number): number {
  return toWholeNumber(name, process.env[name] ?? String(fallback), most);
}

/** Whole numbers from 1 to `most`, separated by commas. */
export function wholeNumbers(name: string, fallback: string, most: number): readonly number[] {
  return (process.env[name] ?? fallback).split(',').map((text) => toWholeNumber(name, text, most));
}

/** A number above 0, up to `most`, with or without a fraction. */
export function positiveNumber(name: string, fallback: number, most: number): number {
  const value = Number(process.env[name] ?? fallback);
  return value > 0 && value <= most
    ? value
    : refuse(`${name} takes a number above 0, up to ${most}`);
}

/** The argument at `place`, the first is 0: a whole number from 1 to `most`. `name` is what the sentence calls it. */
export function wholeArgument(place: number, name: string, fallback: number, most: number): number {
  return toWholeNumber(name, process.argv[2 + place] ?? String(fallback), most);
}

/** The number that `text` says, a whole one from 1 to `most`. */
export function toWholeNumber(name: string, text: string, most: number): number {
  const value = Number(text);
  const isInRange = Number.isInteger(value) && value >= 1 && value <= most;
  return isInRange ? value : refuse(`${name} takes whole numbers from 1 to ${most}`);
}

function refuse(sentence: string): never {
  console.error(`${sentence}.`);
  process.exit(1);
}
