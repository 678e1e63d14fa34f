import { EVENT_TYPES, PLATFORM_EVENTS } from '../../schemas/platform-events';
import type { WebhookType } from './payload';

/*
 * The body of an event is written by the database, by functions in src/platform/db: in baseline/functions, or in the last
 * of the migrations that replaces it.
 *   upload.ended         tell_upload_ends, its steps shown_steps
 *   availability.failed  tell_failed_availability
 *   rollout.ended        tell_rollout_end
 *   delivery.failed      tell_failed_delivery
 *   webhook.*            tell_webhook_change
 *   all                  write_event: type, timestamp, who is told
 * Not so menu.drifted (src/drift/sql/drift-checks.ts) and webhook.test (payload.ts). A field is added by a migration that
 * replaces the function, and in the schema of `data` (src/openapi/webhooks.ts, src/contract).
 */

/** An event that the platform can subscribe to. */
export type PlatformEvent = (typeof PLATFORM_EVENTS)[number];
/** `type` in the body of an event. */
export type EventType = (typeof EVENT_TYPES)[number];

/** `subscription.type` and `delivery.type` of events; inventory systems get 1 and 2. */
export const EVENTS = 3;
/** The kind of message that a delivery carries. */
export type MessageType = WebhookType | typeof EVENTS;

export function isPlatformEvent(name: unknown): name is PlatformEvent {
  return PLATFORM_EVENTS.some((each) => each === name);
}

/** Whether a type from a list is an event; 1 and 2 are not. */
export function isEventType(type: string | number): type is EventType {
  return EVENT_TYPES.some((each) => each === type);
}
