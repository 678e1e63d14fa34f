import { ITEM_DATA_BODY } from './item-data-body';
import { MENU_UPLOAD_BODY } from './menu-upload-body';
import type { JsonBody } from './request-body';

/** The bodies that may be so large that reading one would hold the event loop, by their names: a thread finds them here. */
export const LARGE_BODIES: ReadonlyMap<string, JsonBody<unknown>> = new Map(
  [MENU_UPLOAD_BODY, ITEM_DATA_BODY].map((body) => [body.name, body]),
);
