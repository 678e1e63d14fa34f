import type { PlainWords } from '../contract/plain-words';

/** What a word of ours means, and what to do, where the word stands. */
export function Means({ words: { means, todo } }: { readonly words: PlainWords }) {
  return (
    <p class="means">
      {means}
      {todo !== null && <b> {todo}</b>}
    </p>
  );
}
