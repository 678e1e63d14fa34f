import type { ScriptedAnswer } from './scripted-answer';

export interface AnswerQueue {
  push(answer: ScriptedAnswer): void;
  /** The oldest answer that is meant for this path, counted as given. */
  take(path: string): ScriptedAnswer | undefined;
  /** The remaining answers; `times` is what is left of each. */
  list(): readonly ScriptedAnswer[];
  clear(): void;
}

/** First in, first out; an answer stays at the head until it was given `times` times. */
export function createAnswerQueue(): AnswerQueue {
  let queue: ScriptedAnswer[] = [];
  return {
    push: (answer) => {
      queue.push({ ...answer, times: answer.times ?? 1 });
    },
    take(path) {
      const index = queue.findIndex((each) => each.path === undefined || each.path === path);
      const answer = queue[index];
      if (answer === undefined) return undefined;
      const left = (answer.times ?? 1) - 1;
      if (left > 0) queue[index] = { ...answer, times: left };
      else queue.splice(index, 1);
      return answer;
    },
    list: () => queue,
    clear: () => {
      queue = [];
    },
  };
}
