/*
 * Who may call what, written by hand: the status that each kind of user gets for a right request about things of the
 * owner. `access-matrix.test.ts` tries each of them, and fails for a route that is not here.
 */

export const CALLERS = ['owner', 'other', 'operator', 'support', 'supportWhoOwns'] as const;
/**
 * `owner` made the things. `other` has every permission but `operator` and `support`, and nothing of the owner's.
 * `support` has that permission alone. `supportWhoOwns` is the owner with it.
 */
export type Caller = (typeof CALLERS)[number];

type Row = readonly number[];

/** A list, of which everybody sees their part; and what is only about the caller. */
const LISTED: Row = [200, 200, 200, 200, 200];
/** Read by who has the thing, by operators and by `support`; unknown to others. */
const SEEN: Row = [200, 404, 200, 200, 200];
/** The same of a store that is named. */
const SEEN_OF_STORE: Row = [200, 409, 200, 200, 200];
/** Done to a thing by who has it and by operators. */
const DONE: Row = [200, 404, 200, 403, 200];
/** The same of a system named in a body. */
const DONE_BY_NAME: Row = [200, 422, 200, 403, 200];
/** The same of a store. */
const DONE_TO_STORE: Row = [200, 409, 200, 403, 200];
/** The same, with the outcome later. */
const ACCEPTED: Row = [202, 404, 202, 403, 202];
const ACCEPTED_FOR_STORE: Row = [202, 409, 202, 403, 202];
/** About the webhook for events of the caller, which only the owner has. */
const OWN_EVENTS: Row = [200, 404, 404, 404, 200];

/** By the id of a route: in the order of `CALLERS`. */
export const MATRIX: Readonly<Record<string, Row>> = {
  me: LISTED,
  search: LISTED,
  uploadMenu: ACCEPTED_FOR_STORE,
  changeMenus: ACCEPTED_FOR_STORE,
  previewMenu: SEEN_OF_STORE,
  getUpload: SEEN,
  listUploads: LISTED,
  getUploadMenu: SEEN,
  getUploadPayload: SEEN,
  getUploadShown: SEEN,
  getUploadChanges: SEEN,
  republishUpload: ACCEPTED,
  cancelUpload: DONE,
  listLiveMenus: SEEN_OF_STORE,
  checkLiveMenu: ACCEPTED_FOR_STORE,
  changeAvailability: DONE_TO_STORE,
  getAvailabilityChange: SEEN,
  listUnavailable: LISTED,
  // A rollout begins even if each of its targets ends `refused`, as those in another's stores do.
  startRollout: [202, 202, 202, 403, 202],
  listRollouts: LISTED,
  getRollout: SEEN,
  listRolloutTargets: SEEN,
  cancelRollout: DONE,
  revertRollout: ACCEPTED,
  // Everybody may.
  createStore: [201, 201, 201, 201, 201],
  listStores: LISTED,
  getStore: SEEN_OF_STORE,
  changeStore: DONE_TO_STORE,
  listStoreIntegrations: SEEN_OF_STORE,
  storeTimeline: SEEN_OF_STORE,
  pauseStore: ACCEPTED_FOR_STORE,
  resumeStore: ACCEPTED_FOR_STORE,
  setSpecialDays: ACCEPTED_FOR_STORE,
  getSpecialDays: SEEN_OF_STORE,
  createInventorySystem: [201, 201, 201, 403, 201],
  listInventorySystems: LISTED,
  getInventorySystem: SEEN,
  changeInventorySystem: DONE,
  linkStore: DONE_BY_NAME,
  listStoreLinks: SEEN,
  getStoreLink: SEEN,
  unlinkStore: DONE,
  manageWebhook: DONE_BY_NAME,
  enableWebhook: DONE_BY_NAME,
  disableWebhook: DONE_BY_NAME,
  listWebhooks: SEEN,
  deleteStore: DONE_TO_STORE,
  deleteInventorySystem: DONE,
  deleteWebhook: DONE,
  rotateWebhookSecret: DONE_BY_NAME,
  testWebhook: DONE_BY_NAME,
  manageEventsWebhook: LISTED,
  rotateEventsSecret: LISTED,
  enableEventsWebhook: LISTED,
  disableEventsWebhook: LISTED,
  deleteEventsWebhook: LISTED,
  testEventsWebhook: OWN_EVENTS,
  getEventsWebhook: OWN_EVENTS,
  sendItemData: ACCEPTED_FOR_STORE,
  sendStockMovement: ACCEPTED_FOR_STORE,
  updatePosStock: DONE_TO_STORE,
  getDelivery: SEEN,
  getDeliveryPayload: SEEN,
  listDeliveries: LISTED,
  resendDelivery: ACCEPTED,
  // Its example has `dry_run`.
  resendDeliveries: [200, 422, 200, 200, 200],
};
