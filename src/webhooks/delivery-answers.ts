import type { DeliveryOutcome } from './sql/deliveries';
import type { WaitingFor } from '../contract/why-it-waits';
import type { AttemptView, DeliveryView } from './sql/delivery-views';

/** A delivery as lists and its status page show it. */
export function renderDelivery(delivery: DeliveryView, waitingFor: WaitingFor | undefined) {
  return {
    delivery_id: delivery.deliveryId,
    inventory_system_id: delivery.inventorySystemId,
    type: delivery.eventType ?? delivery.type,
    store_id: delivery.storeId,
    state: delivery.state,
    attempts_made: delivery.attemptsMade,
    next_attempt_at: delivery.state === 'pending' ? delivery.dueAt : null,
    waiting_for: waitingFor ?? null,
    created_at: delivery.createdAt,
    finished_at: delivery.finishedAt,
    receiver_status: delivery.receiverStatus,
    message: delivery.message,
  };
}

export function renderDeliveryWithAttempts(
  delivery: DeliveryView,
  attempts: readonly AttemptView[],
  waitingFor: WaitingFor | undefined,
) {
  return {
    ...renderDelivery(delivery, waitingFor),
    attempts: attempts.map((attempt) => ({
      number: attempt.number,
      started_at: attempt.startedAt,
      duration_ms: attempt.durationMs,
      status: attempt.status,
      error: attempt.error,
      detail: attempt.detail,
      response: attempt.response,
    })),
  };
}

/** An entry of a stock event's `deliveries`. */
export function renderOutcome(outcome: DeliveryOutcome) {
  return {
    delivery_id: outcome.deliveryId,
    inventory_system_id: outcome.inventorySystemId,
    state: outcome.state,
    receiver_status: outcome.receiverStatus,
    message: outcome.message,
  };
}
