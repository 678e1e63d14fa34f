import { ITEM_DATA_BODY } from '../webhooks/item-data-body';
import { ROLLOUT_BODY } from '../rollouts/rollout-body';
import { MENU_UPLOAD_BODY } from '../uploads/menu-upload-body';
import { MENU_PREVIEW_BODY } from '../preview/preview-body';
import { join } from 'node:path';
import type { LargeBodies } from '../http/body-task';

export const LARGE_BODIES: LargeBodies = new Map(
  [MENU_UPLOAD_BODY, MENU_PREVIEW_BODY, ROLLOUT_BODY, ITEM_DATA_BODY].map((body) => [
    body.name,
    body,
  ]),
);

/** The program of the thread that reads them. */
export const BODY_THREAD = join(__dirname, 'body-thread');
