import { quoteValue } from '../../platform/text/quote-value';
import { isBlank, withoutBlanks } from '../../platform/text/blank';
import { isLonger } from '../../platform/text/is-longer';
import { LIMITS } from '../../../schemas/limits';

/** Finds ids of one list that differ from a reference only by case, blanks or Unicode form. */
export type FindLookAlike = (reference: string) => string | undefined;

/** The ids are folded when the first reference is looked up: most menus have no wrong one. */
export function createLookAlikes(ids: ReadonlyMap<string, unknown>): FindLookAlike {
  let byFold: Map<string, string> | undefined;
  return (reference) => {
    byFold ??= foldAll(ids.keys());
    return byFold.get(fold(reference));
  };
}

/** The hint about a reference that is nearly an id. */
export function lookAlikeHint(id: string): string {
  return `Did you mean "${quoteValue(id)}"? It is written differently.`;
}

/** Of ids that are alike, the last of them. Those that break a rule of their own are left out. */
function foldAll(ids: Iterable<string>): Map<string, string> {
  const byFold = new Map<string, string>();
  for (const id of ids) {
    if (isBlank(id) || isLonger(id, LIMITS.id)) continue;
    byFold.set(fold(id), id);
  }
  return byFold;
}

/** Upper case first, so that ß is like ss and final ς like σ. */
function fold(id: string): string {
  return withoutBlanks(id.normalize('NFKC')).toUpperCase().toLowerCase().normalize('NFKC');
}
