import { CALLBACK_ANSWER } from '../../delivery-apps/app-c/callback';
import { record } from '../answer-schemas';
import type { JsonSchema, Operation, Success } from '../operation';

const readiness: JsonSchema = record({
  status: { type: 'string', enum: ['ok', 'unavailable'] },
  postgres: { type: 'string', enum: ['ok', 'unreachable', 'schema_behind'] },
  stopping: { type: 'boolean' },
  temporal: { type: 'string', enum: ['ok', 'unreachable'] },
  oldest_due_seconds: { type: ['integer', 'null'] },
});

function plain(mediaType: string, example: string): Success {
  const schema = { type: 'string' };
  return { status: 200, mediaType, schema, examples: { text: example } };
}

export const SERVICE_OPERATIONS: readonly Operation[] = [
  {
    id: 'live',
    method: 'get',
    path: '/health/live',
    group: 'Service',
    summary: 'Whether the process runs',
    access: 'open',
    answers: [
      {
        status: 200,
        schema: record({ status: { const: 'ok' } }),
        examples: { ok: { status: 'ok' } },
      },
    ],
  },
  {
    id: 'ready',
    method: 'get',
    path: '/health/ready',
    group: 'Service',
    summary: 'Whether requests can be accepted',
    description:
      'Postgres decides. Temporal and the age of the oldest due row are reported and take nobody out.',
    access: 'open',
    answers: [
      {
        status: 200,
        schema: readiness,
        examples: {
          ok: {
            status: 'ok',
            postgres: 'ok',
            stopping: false,
            temporal: 'ok',
            oldest_due_seconds: 0,
          },
        },
      },
      {
        status: 503,
        schema: readiness,
        examples: {
          unavailable: {
            status: 'unavailable',
            postgres: 'unreachable',
            stopping: false,
            temporal: 'ok',
            oldest_due_seconds: null,
          },
        },
      },
    ],
  },
  {
    id: 'metrics',
    method: 'get',
    path: '/metrics',
    group: 'Service',
    summary: 'Numbers for Prometheus',
    description: 'On METRICS_PORT where that is set, and then not here.',
    access: 'open',
    answers: [plain('text/plain', '# TYPE temporal_reachable gauge\ntemporal_reachable 1\n')],
  },
  {
    id: 'openapi',
    method: 'get',
    path: '/openapi.json',
    group: 'Service',
    summary: 'This description',
    access: 'open',
    answers: [
      { status: 200, schema: { type: 'object' }, examples: { start: { openapi: '3.1.0' } } },
    ],
  },
  {
    id: 'docs',
    method: 'get',
    path: '/docs',
    group: 'Service',
    summary: 'A page to read and try it',
    access: 'open',
    answers: [plain('text/html', '<!doctype html>')],
  },
  {
    id: 'appCCallback',
    method: 'post',
    path: '/callbacks/app-c/{integration_id}',
    group: 'Callbacks',
    summary: 'App C tells the end of a menu’s task',
    description: 'Unknown and repeated tasks are harmless.',
    access: 'signature',
    answers: [
      {
        status: 200,
        schema: record({ errno: { const: 0 }, errmsg: { const: 'ok' } }),
        examples: { taken: CALLBACK_ANSWER },
      },
    ],
  },
];
