import { ITEM_DATA_BODY } from '../webhooks/item-data-body';
import { ROLLOUT_BODY } from '../rollouts/rollout-body';
import { CHANGED_MENU, MENU_CHANGES_BODY } from '../uploads/menu-changes-body';
import { MENU_UPLOAD_BODY } from '../uploads/menu-upload-body';
import { MENU_PREVIEW_BODY } from '../preview/preview-body';
import { join } from 'node:path';
import type { BodyThreads } from '../http/body/body-reader';
import type { LargeBodies } from '../http/body/body-task';

export const LARGE_BODIES: LargeBodies = new Map(
  [
    MENU_UPLOAD_BODY,
    MENU_CHANGES_BODY,
    CHANGED_MENU,
    MENU_PREVIEW_BODY,
    ROLLOUT_BODY,
    ITEM_DATA_BODY,
  ].map((body) => [body.name, body]),
);

/** The files of the threads that read them. */
export const BODY_THREADS: BodyThreads = {
  prompt: join(__dirname, 'body-thread'),
  patient: join(__dirname, 'patient-body-thread'),
};
