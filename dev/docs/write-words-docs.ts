import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  ATTEMPT_ERROR_WORDS,
  CHANGE_WORDS,
  DELIVERY_WORDS,
  DRIFT_WORDS,
  ITEM_SEARCH_WORDS,
  ITEM_WORDS,
  LOSS_WORDS,
  OFF_SALE_WORDS,
  type PlainWords,
  REVERT_WORDS,
  ROLLOUT_WORDS,
  TARGET_WORDS,
  TROUBLE_WORDS,
  UPLOAD_WORDS,
  WAITING_WORDS,
  WEBHOOK_DISABLED_WORDS,
  WEBHOOK_WORDS,
} from '../../src/contract/plain-words';
import { alignedTable } from './write-settings-docs';

export const WORDS_DOCS = join(__dirname, '..', '..', 'docs', 'help-desk.md');

const BEGIN =
  '<!-- words: written by dev/docs/write-words-docs.ts from src/contract/plain-words.ts -->';
const END = '<!-- end of words -->';

const TABLES: readonly (readonly [title: string, Readonly<Record<string, PlainWords>>])[] = [
  ['An upload of a menu is …', UPLOAD_WORDS],
  ['A store or the service is in trouble …', TROUBLE_WORDS],
  ['Something waits because of …', WAITING_WORDS],
  ['A live menu was read back as …', DRIFT_WORDS],
  ['A delivery to a stock system is …', DELIVERY_WORDS],
  ['An attempt had no answer because of …', ATTEMPT_ERROR_WORDS],
  ['A webhook is …', WEBHOOK_WORDS],
  ['A webhook is disabled as …', WEBHOOK_DISABLED_WORDS],
  ['A change of items, a pause or special days is …', CHANGE_WORDS],
  ['An item of a change is …', ITEM_WORDS],
  ['An item is off sale by …', OFF_SALE_WORDS],
  ['Guests do not see an item, because it is …', ITEM_SEARCH_WORDS],
  ['A rollout is …', ROLLOUT_WORDS],
  ['A store of a rollout is …', TARGET_WORDS],
  ['A store of a rollout that was reverted is …', REVERT_WORDS],
  ['A menu loses in an app …', LOSS_WORDS],
];

/** The page with updated tables of words, otherwise unchanged. Throws if the markers are missing. */
export function withWords(page: string): string {
  const begin = page.indexOf(BEGIN);
  const end = page.indexOf(END);
  if (begin === -1 || end < begin) throw new Error(`The page has no ${BEGIN} … ${END}.`);
  const tables = TABLES.map(([title, words]) => `### ${title}\n\n${tableOf(words)}`);
  return `${page.slice(0, begin + BEGIN.length)}\n\n${tables.join('\n\n')}\n\n${page.slice(end)}`;
}

function tableOf(words: Readonly<Record<string, PlainWords>>): string {
  const rows = Object.entries(words).map(([name, { means, todo }]) => [
    `\`${name}\``,
    means,
    todo ?? '',
  ]);
  return alignedTable([['word', 'what it means', 'what to do'], ...rows]);
}

if (require.main === module) {
  writeFileSync(WORDS_DOCS, withWords(readFileSync(WORDS_DOCS, 'utf8')));
}
