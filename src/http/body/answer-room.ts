import type { RequestContext } from '../state';
import { whenClosed } from '../when-closed';
import type { BodyBudget } from './body-budget';
import { serviceBusy } from './read-bytes';

/** An answer of stored texts, or of what is made of them. */
interface AnswerRoom<Answer> {
  readonly budget: BodyBudget;
  /** The size of the stored texts. */
  readonly bytes: number;
  readonly make: () => Promise<Answer>;
  readonly sizeOf: (answer: Answer) => number;
}

/**
 * Makes an answer with room in the budget of request bodies: for the stored texts while it is made, and for itself
 * until the socket has taken every byte or is closed. Throws the 503 if there is none.
 */
export async function withAnswerRoom<Answer>(
  ctx: Pick<RequestContext, 'res'>,
  { budget, bytes, make, sizeOf }: AnswerRoom<Answer>,
): Promise<Answer> {
  const room = budget.reserve(bytes);
  if (!room) throw serviceBusy();
  try {
    const answer = await make();
    if (!room.resize(sizeOf(answer))) throw serviceBusy();
    whenClosed(ctx.res, () => room.release());
    return answer;
  } catch (error) {
    room.release();
    throw error;
  }
}
