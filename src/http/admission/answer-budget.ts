import type { BoundShares } from '../../platform/admission/permits';
import { serviceBusy } from '../../platform/admission/service-busy';
import type { RequestContext } from '../state';
import { whenClosed } from '../when-closed';
import { requireDeclaredSlow } from './slow-work';

/** A large answer: of stored texts, or of what is made of them. */
interface AnswerBudget<Answer> {
  readonly budget: BoundShares;
  /** Calls `hold` with the size of what it is about to read, or has made so far, which throws the 503. */
  readonly make: (hold: (bytes: number) => void) => Promise<Answer>;
  readonly sizeOf: (answer: Answer) => number;
}

/**
 * Makes an answer within its caller's share of the budget of request bodies: it takes what the stored texts need from
 * when they are read, and then what the answer needs until the socket has taken every byte or is closed. Throws the 503
 * if too little is left.
 */
export async function withAnswerBudget<Answer>(
  ctx: Pick<RequestContext, 'res' | 'state'>,
  answer: AnswerBudget<Answer>,
): Promise<Answer> {
  requireDeclaredSlow(ctx, 'reads texts');
  return withinBudget(ctx, answer);
}

/** The same for an answer of anything else. */
export async function withinBudget<Answer>(
  ctx: Pick<RequestContext, 'res' | 'state'>,
  { budget, make, sizeOf }: AnswerBudget<Answer>,
): Promise<Answer> {
  const memory = budget.take(ctx.state.caller.userId, 0);
  if (!memory) throw serviceBusy();
  const hold = (bytes: number): void => {
    if (!memory.resize(bytes)) throw serviceBusy();
  };
  try {
    const answer = await make(hold);
    hold(sizeOf(answer));
    whenClosed(ctx.res, () => memory.release());
    return answer;
  } catch (error) {
    memory.release();
    throw error;
  }
}
