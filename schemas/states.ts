/* The states of accepted work, as rows store them, answers show them and lists filter by them. */

export const UPLOAD_STATES = [
  'queued',
  'running',
  'uploaded',
  'partly_uploaded',
  'failed',
  'superseded',
  'canceled',
] as const;

export const UPLOAD_STEPS = [
  'token',
  'transform',
  'images',
  'items',
  'push',
  'confirm',
  'availability',
] as const;

/** How a change of single items reaches an app: by its calls about items, or with the whole menu. */
export const CHANGE_WAYS = ['items', 'menu'] as const;

export const UPLOAD_STEP_STATES = ['pending', 'running', 'done', 'failed', 'skipped'] as const;

/** Whether the app still showed the live menu at the last reading. `unknown`: not read since it went live. */
export const DRIFT_STATES = ['unknown', 'same', 'changed', 'unreadable'] as const;

/** Every state but `pending` is final; a resend makes an ended delivery pending again. */
export const DELIVERY_STATES = [
  'pending',
  'delivered',
  'acknowledged',
  'refused',
  'exhausted',
  'discarded',
] as const;

export const ROLLOUT_STATES = [
  'running',
  'done',
  'stopped',
  'canceled',
  'reverting',
  'reverted',
] as const;

/** The kinds of what happens to a store. */
export const TIMELINE_KINDS = [
  'upload',
  'availability',
  'pause',
  'rollout',
  'drift',
  'delivery',
] as const;

/**
 * `waiting`: held until a permit is free for it. `refused`: by the checks of an upload. Otherwise the state of its
 * upload.
 */
export const TARGET_STATES = ['waiting', ...UPLOAD_STATES, 'refused'] as const;

/** The result of a target when its rollout was reverted. */
export const REVERT_STATES = [
  'waiting',
  'reverted',
  'failed',
  'not_live',
  'without_previous',
] as const;

/** What a change of availability is about: items, or the store as a whole. */
export const CHANGE_KINDS = ['items', 'pause', 'special_days'] as const;

/** States of a change of availability. */
export const CHANGE_STATES = ['queued', 'running', 'done', 'failed', 'superseded'] as const;

/** States of an item of a change. `waiting`: the app has not been told, or its answer is unknown. */
export const ITEM_STATES = ['waiting', 'done', 'failed', 'superseded'] as const;

/** What keeps an item off sale. Lists show the first of those that do. */
export const MARK_SOURCES = ['api', 'stock', 'season'] as const;

/**
 * Why accepted work waits. `app_unavailable`: the delivery app failed or gave no answer; `app_busy`: it asked us to come
 * later; `token`: the call for its token failed or is under way; `approval`: people at the app decide; `earlier_menu`: the
 * push or task of an earlier one is under way; `image_host`: the hosts of images are slow; `receiver_failing`,
 * `receiver_busy`: of webhooks; `paused`: nothing is sent to the receiver for a while; `disabled`: nothing at all;
 * `our_side`: a failure of this service; `temporal`: it cannot be reached; `permit`: a permit or a rate of ours is
 * taken.
 */
export const WAITING_REASONS = [
  'app_unavailable',
  'app_busy',
  'token',
  'approval',
  'earlier_menu',
  'image_host',
  'receiver_failing',
  'receiver_busy',
  'paused',
  'disabled',
  'our_side',
  'temporal',
  'permit',
] as const;
