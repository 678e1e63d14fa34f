import { compactJson, takeMembers } from '../platform/text/raw-json';

const LISTS = ['menus', 'categories', 'items', 'modifier_groups'] as const;

/** A body with a menu as it was sent, but for the blanks between its tokens: no number is read as a float. */
export interface MenuAsSent {
  /** JSON text of an object: the four lists, always in this order. */
  readonly lists: Buffer;
  /** JSON text of an object: the other members. */
  readonly beside: string;
}

/** `text` is the JSON of an object that has the four lists. Members of these names are in neither half. */
export function menuAsSent(text: string, names: readonly string[] = []): MenuAsSent {
  const { taken, rest } = takeMembers(text, [...LISTS, ...names]);
  const lists = LISTS.flatMap((name, index) => [
    `${index === 0 ? '{' : ','}"${name}":`,
    taken.get(name) ?? '[]',
  ]);
  return { lists: compactJson(...lists, '}'), beside: compactJson(rest).toString() };
}
