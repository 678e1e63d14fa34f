import { integrationIds } from './availability';
import { LIMITS } from './limits';

/** As in the hours of menus. */
const timeOfDay = {
  type: 'string',
  minLength: 1,
  pattern: '^([01]\\d|2[0-3]):[0-5]\\d$',
  'x-refusal': 'invalid_format',
  'x-hint': 'timeOfDay',
} as const;

/** The days of a store with hours of their own, which replace all earlier ones. */
export const specialDaysSchema = {
  type: 'object',
  required: ['days'],
  properties: {
    integration_ids: integrationIds,
    days: {
      type: 'array',
      maxItems: LIMITS.specialDays,
      items: {
        type: 'object',
        required: ['date'],
        properties: {
          date: {
            type: 'string',
            minLength: 1,
            format: 'date',
            'x-refusal': 'invalid_format',
            'x-hint': 'day',
          },
          closed: { type: ['boolean', 'null'], 'x-refusal': 'invalid', 'x-hint': 'boolean' },
          periods: {
            type: ['array', 'null'],
            maxItems: LIMITS.specialDayPeriods,
            items: {
              type: 'object',
              required: ['start', 'end'],
              properties: { start: timeOfDay, end: timeOfDay },
            },
          },
          name: { type: ['string', 'null'], maxLength: LIMITS.specialDayName },
        },
      },
    },
  },
} as const;
