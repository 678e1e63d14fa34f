import { act, type EndpointCells, field, read, remove, write } from './cell-table';

const NO_WEBHOOK = { 404: ['The webhook was not found.'] };
const DONE = { 200: ['Success.'] };

/** The webhook for events of the platform. */
export const EVENTS_CELLS: readonly EndpointCells[] = [
  write('/events/webhook/manage', {
    ...DONE,
    422: [
      ...field(
        'url',
        'The url field is required.',
        'The url must be a string.',
        'The url format is invalid.',
        'The url may not be greater than 2048 characters.',
        'The url is not allowed.',
      ),
      ...field(
        'events',
        'The events field is required.',
        'The events must be an array.',
        'The selected events is invalid.',
        'The events may not have more than 100 items.',
      ),
      ...field(
        'max_in_flight',
        'The max in flight must be a number.',
        'The selected max in flight is invalid.',
      ),
      ...field(
        'max_per_second',
        'The max per second must be a number.',
        'The selected max per second is invalid.',
      ),
      ...field('headers', 'The headers format is invalid.'),
    ],
  }),
  write('/events/webhook/secret/rotate', {
    ...DONE,
    ...NO_WEBHOOK,
    422: field(
      'grace_seconds',
      'The grace seconds must be a number.',
      'The selected grace seconds is invalid.',
    ),
  }),
  act('/events/webhook/enable', { ...DONE, ...NO_WEBHOOK }),
  act('/events/webhook/disable', { ...DONE, ...NO_WEBHOOK }),
  act('/events/webhook/test', { ...DONE, ...NO_WEBHOOK }),
  read('/events/webhook', { ...DONE, ...NO_WEBHOOK }),
  remove('/events/webhook', NO_WEBHOOK),
];
