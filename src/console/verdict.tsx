import type { ComponentChildren } from 'preact';
import type { PlainWords } from '../contract/plain-words';
import { toneOf } from './parts';

/** What is the matter, and how bad that is. */
export type Tone = 'good' | 'busy' | 'warn' | 'bad' | 'quiet';

/** How bad a state is. */
export function toneOfState(state: string): Tone {
  const tone = toneOf(state);
  return tone === 'neutral' ? 'quiet' : tone;
}

/**
 * What is the matter in a sentence, what was said about it, and what to do: at the top of what it is about. The
 * sentences are those of `src/contract/plain-words.ts`.
 */
export function Verdict({
  tone,
  what,
  words,
  said,
}: {
  readonly tone: Tone;
  /** The beginning of the sentence: what it is about, and since when. */
  readonly what: ComponentChildren;
  readonly words: PlainWords;
  /** What an app or a receiver said, and what comes next. */
  readonly said?: ComponentChildren;
}) {
  return (
    <div class={`verdict ${tone}`}>
      <p>
        <strong>{what}</strong> {words.means}
      </p>
      {said && <p>{said}</p>}
      {words.todo && (
        <p>
          <strong>What to do:</strong> {words.todo}
        </p>
      )}
    </div>
  );
}
