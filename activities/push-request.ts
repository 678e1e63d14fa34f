import { takeUnavailable, type UnavailableItem } from '../src/availability/sql/marks';
import { takeOutOfSeason } from '../src/availability/sql/seasons';
import type { PushRequest } from '../src/delivery-apps/app-client';
import type { Sql } from '../src/platform/db/client';
import { ThreadsBusyError } from '../src/platform/threads/thread-pool';
import type { MenuActivityDeps } from './activity-deps';
import type { Attempt } from './load-attempt';
import type { StepEnd } from './upload-step';

/** What a push sends, without what is off sale: its own menu, or what is live if the app has refused that. */
export async function requestOf(
  { documents }: MenuActivityDeps,
  { uploadId, target }: Attempt,
  token: string,
): Promise<PushRequest> {
  const { refusal, livePayloadSha256, payloadSha256: ownPayloadSha256 } = target;
  const payloadSha256 = refusal === null ? ownPayloadSha256 : livePayloadSha256;
  if (payloadSha256 === null) throw new Error(`upload ${uploadId} has no payload`);
  // The next round prepares the menu for today's app.
  if (target.isPayloadOfOtherApp)
    throw new Error(`upload ${uploadId} was prepared for another app`);
  const payload = await documents.read(payloadSha256);
  return { token, appStoreId: target.appStoreId, payload };
}

/** The items of an upload that are off sale now, those out of season with them. */
export async function takeOffSale(
  sql: Sql,
  { uploadId, target }: Pick<Attempt, 'uploadId' | 'target'>,
): Promise<readonly UnavailableItem[]> {
  const outOfSeason = target.setsSeasons ? await takeOutOfSeason(sql, uploadId) : [];
  return takeUnavailable(sql, target, uploadId, outOfSeason);
}

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
  const { refusal, liveUploadId } = target;
  const items = await takeOffSale(sql, {
    target,
    uploadId: refusal === null ? uploadId : (liveUploadId ?? uploadId),
  });
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
