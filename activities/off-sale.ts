import { takeUnavailable } from '../src/availability/sql/marks';
import type { PushRequest } from '../src/delivery-apps/app-client';
import { ThreadsBusyError } from '../src/platform/threads/thread-pool';
import type { MenuActivityDeps } from './activity-deps';
import type { Attempt } from './upload-attempt';
import type { StepEnd } from './upload-step';

/**
 * The menu with what is off sale now, which no call can change before it is sent. If it cannot be written into the menu,
 * the end of the step.
 */
export async function withUnavailable(
  { sql, menus }: MenuActivityDeps,
  { uploadId, target, app }: Attempt,
  request: PushRequest,
): Promise<PushRequest | StepEnd<never>> {
  if (!app.availability.writeUnavailable) return request;
  const items = await takeUnavailable(sql, target, uploadId);
  if (items.length === 0) return request;
  try {
    const payload = await menus
      .by(target.userId)
      .takeOffSale(request.payload, { app: app.name, items });
    return payload ? { ...request, payload } : { verdict: { kind: 'not_prepared' } };
  } catch (error) {
    if (!(error instanceof ThreadsBusyError)) throw error;
    const reason = 'the service is busy with other large menus';
    return { retry: { reason, waits: 'permit', afterMs: null } };
  }
}
