import type { BodyBudget } from '../http/body-budget';
import { serviceBusy } from '../http/read-bytes';

/** Works on kept texts of so many bytes, which have room among the bodies of requests meanwhile. Throws the 503 when there is none. */
export async function inRoom<Result>(
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
