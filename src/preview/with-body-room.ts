import type { BodyBudget } from '../http/body/body-budget';
import { serviceBusy } from '../http/body/read-bytes';

/**
 * Runs work on stored texts of this size, with room for them in the budget of request bodies. Throws the 503 if there
 * is none.
 */
export async function withBodyRoom<Result>(
  budget: BodyBudget,
  bytes: number,
  work: () => Promise<Result>,
): Promise<Result> {
  const room = budget.reserve(bytes);
  if (!room) throw serviceBusy();
  try {
    return await work();
  } finally {
    room.release();
  }
}
