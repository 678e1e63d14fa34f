import type { PendingQuery, Row } from 'postgres';
import { toNameKey } from '../text/name-key';
import type { Sql } from './client';

/** The words that are looked for in names, each somewhere in it; not empty unless `text` is blank. */
export function wordsOf(text: string): readonly string[] {
  return toNameKey(text)
    .split(/\s+/u)
    .filter((word) => word !== '');
}

/** The query `words` with each folded `word`, for a `with`, as both conditions below need it. */
export function foldedWords(sql: Sql, words: readonly string[]): PendingQuery<Row[]> {
  return sql`words as materialized (select fold_name(each) as word from unnest(${[...words]}::text[]) as each)`;
}

/** Whether all words are in the folded name. */
export function hasWords(sql: Sql, folded: PendingQuery<Row[]>): PendingQuery<Row[]> {
  return sql`not exists (select from words where position(word in ${folded}) = 0)`;
}

/** The same by the index on `name_parts`; without it this takes some 0.1 ms for each row. */
export function hasWordsByIndex(sql: Sql, folded: PendingQuery<Row[]>): PendingQuery<Row[]> {
  return sql`name_parts(${folded}) @> (
      select coalesce(array_agg(distinct part), '{}') from words cross join lateral unnest(name_parts(word)) as part
      where char_length(part) = least(3, char_length(word)))
    and ${hasWords(sql, folded)}`;
}
