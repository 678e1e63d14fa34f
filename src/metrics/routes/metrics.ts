import type { Metrics } from '../types';
import { noBody } from '../../http/body/request-body';
import { noQuery, PUBLIC, route } from '../../http/route';

export interface MetricsRouteDeps {
  readonly metrics: Metrics;
}

/** For Prometheus. Without a token: anyone who can reach the port may read it, so METRICS_PORT should be private. */
export const METRICS_ROUTE = route({
  id: 'metrics',
  method: 'get',
  path: '/metrics',
  parameters: {},
  group: 'Service',
  summary: 'Metrics for Prometheus',
  description: 'If METRICS_PORT is set, they are served there instead.',
  access: PUBLIC,
  idempotency: 'none',
  query: noQuery,
  body: noBody,
  answers: [
    {
      status: 200,
      mediaType: 'text/plain',
      schema: { type: 'string' },
      examples: { text: '# TYPE temporal_reachable gauge\ntemporal_reachable 1\n' },
    },
  ],
  async handle({ metrics }: MetricsRouteDeps, { ctx }) {
    const { contentType, text } = await metrics.render();
    ctx.set('Content-Type', contentType);
    ctx.body = text;
  },
});
