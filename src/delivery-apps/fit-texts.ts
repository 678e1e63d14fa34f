import { cutText } from '../platform/text/cut-text';
import { hasMarkup } from '../platform/text/has-markup';
import type { EntityRef, LossBook } from './losses';

/** Longest texts of an app, in code points. */
export interface TextLengths {
  readonly name: number;
  readonly description: number;
}

/** For an app that publishes no lengths. */
export const ANY_LENGTH: TextLengths = {
  name: Number.POSITIVE_INFINITY,
  description: Number.POSITIVE_INFINITY,
};

/** The texts of an entity that an app shows; without its description if the app has no place for that. */
export interface Texts {
  readonly name: string;
  readonly description?: string | null;
  /** What a name ends with, whatever is cut before it. */
  readonly suffix?: string;
}

const FIELDS = ['name', 'description'] as const;

/** An absent description is empty. */
export type FittingTexts = Readonly<Record<(typeof FIELDS)[number], string>>;

/**
 * The texts as an app shows them, and what is to be said of them: those that are too long are cut, as some apps would do
 * so in silence and others would refuse the whole menu; HTML is sent as it is; a name of which nothing is left blocks.
 */
export function fitTexts(
  losses: LossBook,
  ref: EntityRef,
  { name, description, suffix = '' }: Texts,
  longest: TextLengths,
): FittingTexts {
  const lengths = { ...longest, name: longest.name - suffix.length };
  const sent = { name, description: description ?? '' };
  const fitting = {
    name: cutText(sent.name, lengths.name),
    description: cutText(sent.description, lengths.description),
  };
  // One loss for both, as there is one per entity and code.
  const cut = FIELDS.filter((field) => fitting[field] !== sent[field]);
  if (cut.length > 0) {
    const details = cut.map((field) => `${field} is cut at ${lengths[field]} characters`);
    losses.add('text_cut', ref, details.join(', its '));
  }
  const marked = FIELDS.filter((field) => hasMarkup(fitting[field]));
  if (marked.length > 0) losses.add('markup_in_text', ref, marked.join(' and its '));
  if (fitting.name === '') losses.add('name_empty', ref);
  return { ...fitting, name: fitting.name + suffix };
}
