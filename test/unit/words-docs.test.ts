import { readFileSync } from 'node:fs';
import { WORDS_DOCS, withWords } from '../../dev/docs/write-words-docs';
import * as dictionary from '../../src/contract/plain-words';
import { LOSS_RULES } from '../../src/delivery-apps/loss-rules';
import type { LossCode } from '../../src/delivery-apps/types';
import {
  attemptWords,
  failureWords,
  LOSS_WORDS,
  pauseReason,
  saidWords,
  UPLOAD_WORDS,
} from '../../src/contract/plain-words';

const page = readFileSync(WORDS_DOCS, 'utf8');

test('docs/help-desk.md has the words as the code has them (update it with npx tsx dev/docs/write-words-docs.ts)', () => {
  expect(withWords(page)).toBe(page);
});

test('a page without the markers is refused instead of being left as it is', () => {
  expect(() => withWords('# A page')).toThrow('words');
});

test('each state, reason and loss is one sentence, and what to do another', () => {
  const all = Object.values(dictionary)
    .filter((each) => typeof each === 'object')
    .flatMap((words) => Object.values(words));
  expect(all.length).toBeGreaterThan(90);
  for (const { means, todo } of all) {
    for (const text of [means, ...(todo === null ? [] : [todo])]) {
      expect(text).toMatch(/^[A-Z][^<>`_{}]{10,}\.$/);
    }
  }
});

test('what blocks a menu says what to do', () => {
  const blocking = Object.entries(LOSS_RULES).filter(([, rule]) => rule.severity === 'block');
  expect(blocking.map(([name]) => LOSS_WORDS[name as LossCode].todo)).not.toContain(null);
});

test('a failed upload is explained by its first message, whatever the app says after it', () => {
  expect(failureWords(['Unable to get token.', 'status 401']).todo).toContain('credentials');
  expect(failureWords(['Could not upload menu to delivery system.', 'x'])).toBe(
    UPLOAD_WORDS.failed,
  );
  expect(failureWords([])).toBe(UPLOAD_WORDS.failed);
});

test('what somebody said ends with one full stop', () => {
  expect(saidWords('status 503')).toBe('It was said: “status 503”.');
  expect(saidWords('The oven is broken.')).toBe('It was said: “The oven is broken”.');
  expect(pauseReason('No gas.')).toBe('The reason given: “No gas”.');
  expect(pauseReason(null)).toBe('No reason was given.');
});

test.each([
  [{ status: 500, error: null }, 'The receiver answered with status 500, an error of its own.'],
  [
    { status: 403, error: null },
    'The receiver answered with status 403: it does not let the service in.',
  ],
  [
    { status: 404, error: null },
    'The receiver answered with status 404: nothing is at its address.',
  ],
  [
    { status: 200, error: null },
    'The receiver answered with status 200, but only 204 confirms a stock movement.',
  ],
  [{ status: null, error: 'timeout' }, 'The receiver did not answer in time.'],
  [{ status: null, error: 'proxy 502' }, 'There was no answer: proxy 502.'],
])('an attempt in words: %j', (attempt, words) => {
  expect(attemptWords(attempt)).toBe(words);
});
