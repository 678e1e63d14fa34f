import { WAITING_REASONS } from '../../schemas/states';
import { component, count, nullableTime, orNull, record, text, time } from './answers';

/** A field of what was accepted and may not have ended. */
export const waiting_for = {
  ...orNull(component('WaitingFor')),
  description: 'Why it has not ended; null: it has ended, or is being worked on.',
};

export const WaitingFor = record({
  reason: component('WaitingReason'),
  message: {
    ...text,
    description: 'What the delivery app or the receiver said last, or our own sentence.',
  },
  since: { ...time, description: 'When the wait for this reason began.' },
  attempts: { ...count, description: 'Tries in vain.' },
  next_attempt_at: {
    ...nullableTime,
    description: 'Null: it depends on something else, or a try is under way.',
  },
});

export const WaitingReason = { type: 'string', enum: WAITING_REASONS };
