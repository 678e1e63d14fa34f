import type { Context } from 'koa';

/** Whose answer it is: a POS's is passed through with its status, so its 500 is no failure of ours. */
export type AnswerSource = 'own' | 'pos';

export function sourceOf(ctx: Pick<Context, 'response'>): AnswerSource {
  return ctx.response.get('X-Error-Source') === 'pos' ? 'pos' : 'own';
}
