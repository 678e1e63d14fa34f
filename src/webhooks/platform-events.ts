import { EVENT_TYPES, PLATFORM_EVENTS } from '../../schemas/platform-events';
import type { WebhookType } from './payload';

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
