import type { RequestContext } from '../state';
import { whenClosed } from '../when-closed';
import { requireDeclaredSlow } from '../slow-work';
import type { BoundShares } from '../../platform/places';
import type { CallerKey } from '../request-places';
import { serviceBusy } from '../../platform/service-busy';

/** An answer of stored texts, or of what is made of them. */
interface AnswerRoom<Answer> {
  readonly budget: BoundShares<CallerKey>;
  /** Calls `hold` with the size of the stored texts just before it reads them, which throws the 503. */
  readonly make: (hold: (bytes: number) => void) => Promise<Answer>;
  readonly sizeOf: (answer: Answer) => number;
}

/**
 * Makes an answer with room in its caller's share of the budget of request bodies: for the stored texts from when they
 * are read, and for itself until the socket has taken every byte or is closed. Throws the 503 if there is none.
 */
export async function withAnswerRoom<Answer>(
  ctx: Pick<RequestContext, 'res' | 'state'>,
  { budget, make, sizeOf }: AnswerRoom<Answer>,
): Promise<Answer> {
  requireDeclaredSlow(ctx, 'reads texts');
  const room = budget.take(ctx.state.caller.userId, 0);
  if (!room) throw serviceBusy();
  const hold = (bytes: number): void => {
    if (!room.resize(bytes)) throw serviceBusy();
  };
  try {
    const answer = await make(hold);
    hold(sizeOf(answer));
    whenClosed(ctx.res, () => room.release());
    return answer;
  } catch (error) {
    room.release();
    throw error;
  }
}
