import type { MenuActivityDeps } from './activity-deps';
import { createUploadConfirmActivities } from './upload-confirm';
import { createUploadPushActivities } from './upload-push';
import { createUploadClaimActivities } from './upload-claim';
import { createUploadTokenActivities } from './upload-token';
import { createUploadTransformActivities } from './upload-transform';

/** All activities of `menuPublication`, in the order in which an upload meets them. */
export function createMenuActivities(deps: MenuActivityDeps) {
  const transform = createUploadTransformActivities(deps);
  return {
    ...createUploadClaimActivities(deps, transform),
    ...transform,
    ...createUploadTokenActivities(deps),
    ...createUploadPushActivities(deps),
    ...createUploadConfirmActivities(deps),
  };
}

export type MenuActivities = ReturnType<typeof createMenuActivities>;
