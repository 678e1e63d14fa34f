/* The states of what is accepted, as rows keep them, answers show them and lists are filtered by them. */

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
  'push',
  'confirm',
  'availability',
] as const;

export const UPLOAD_STEP_STATES = ['pending', 'running', 'done', 'failed', 'skipped'] as const;

/** Whether the app still shows what is live, as it was found last. `unknown`: not read since it went live. */
export const DRIFT_STATES = ['unknown', 'same', 'changed', 'unreadable'] as const;

/** Everything but `pending` is an end; a resend makes an ended delivery pending again. */
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

/** `waiting`: held until it is its turn. `refused`: by the checks of an upload. Else the state of its upload. */
export const TARGET_STATES = ['waiting', ...UPLOAD_STATES, 'refused'] as const;

/** What became of a target when its rollout was taken back. */
export const REVERT_STATES = [
  'waiting',
  'reverted',
  'failed',
  'not_live',
  'without_previous',
] as const;

/** Of a change of what is on sale. */
export const CHANGE_STATES = ['queued', 'running', 'done', 'failed', 'superseded'] as const;

/** Of an item of a change. `waiting`: the app has not been told, or its answer is not known. */
export const ITEM_STATES = ['waiting', 'done', 'failed', 'superseded'] as const;

/** What keeps an item off sale. Lists show `api` while that does. */
export const MARK_SOURCES = ['api', 'stock'] as const;
