import { randomBytes } from 'node:crypto';
import { until } from '../support/until';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { currentTraceParent, inSpanOf } from '../../src/platform/observe/tracing';
import { menuPublicationId } from '../../src/platform/temporal/workflow-names';
import { prepareSystem, stopSystems, type System } from '../support/system';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver';

interface RecordedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly attributes: readonly { readonly key: string; readonly value: object }[];
}
interface Export {
  readonly resourceSpans: readonly {
    readonly scopeSpans: readonly { readonly spans: readonly RecordedSpan[] }[];
  }[];
}

/** Records what is sent to a collector, as OTLP over HTTP. */
let collector: Server;
const spans: RecordedSpan[] = [];
let receiver: WebhookReceiver;
let system: System;
let apiUrl: string;

beforeAll(async () => {
  collector = createServer((request, response) => {
    void json(request).then((body) => {
      const { resourceSpans } = body as Export;
      for (const { scopeSpans } of resourceSpans) {
        for (const each of scopeSpans) spans.push(...each.spans);
      }
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  const { port } = collector.address() as AddressInfo;
  receiver = await startWebhookReceiver();
  // The SDK reads it itself, in the two processes.
  process.env['OTEL_BSP_SCHEDULE_DELAY'] = '100';
  system = await prepareSystem({
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`, WEBHOOK_ALLOW_HTTP: 'true' },
  });
  const [api] = await Promise.all([
    system.startChild({ role: 'api' }),
    system.startChild({ role: 'worker' }),
  ]);
  apiUrl = api.url;
});
afterAll(async () => {
  delete process.env['OTEL_BSP_SCHEDULE_DELAY'];
  await stopSystems();
  await receiver.close();
  collector.close();
  collector.closeAllConnections();
});

/** A caller's own trace. */
function newTrace() {
  const [trace, span] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
  return { trace, span, header: { traceparent: `00-${trace}-${span}-01` } };
}

const of = (trace: string) => spans.filter(({ traceId }) => traceId === trace);
const named = (trace: string, name: string) => of(trace).find((each) => each.name === name);

test('an upload is one trace: the caller’s request, each step in the worker, and the calls of the app', async () => {
  const { trace, span, header } = newTrace();
  const shop = await system.openShop('app-b');
  expect((await shop.upload(1, { apiUrl, headers: header })).status).toBe(200);
  const request = 'POST /api/v1/menus/upload';
  await until(() => ['upload push', request].every((name) => named(trace, name)));
  expect(named(trace, request)?.parentSpanId).toBe(span);
  for (const step of ['token', 'transform', 'push']) {
    expect(named(trace, `upload ${step}`)?.parentSpanId).toBe(named(trace, request)?.spanId);
  }
  const push = named(trace, 'upload push');
  expect(push?.attributes).toContainEqual({
    key: 'temporal.workflow_id',
    value: { stringValue: menuPublicationId(shop.storeId, shop.integrationId) },
  });
  const calls = of(trace).filter(({ parentSpanId }) => parentSpanId === push?.spanId);
  expect(calls.map(({ name }) => name)).toContain('PUT');
  const told = JSON.stringify(of(trace));
  expect(told).toContain('http.response.status_code');
  // A path may contain private data.
  expect(told).not.toContain(shop.appStoreId);
});

/** A request about the webhook for events. */
const call = (verb: string, body: object, headers: Record<string, string> = {}) =>
  fetch(`${apiUrl}/api/v1/events/webhook/${verb}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${system.token}`,
      'content-type': 'application/json',
      ...headers,
    },
    body: JSON.stringify(body),
  });

test('a webhook continues the trace of its request, and passes it to its receiver', async () => {
  const { trace, header } = newTrace();
  await call('manage', { url: `${receiver.url}/traced` });
  expect((await call('test', {}, header)).status).toBe(200);
  const names = ['webhook attempt', 'POST /api/v1/events/webhook/test'];
  await until(() => names.every((name) => named(trace, name)));
  const [received] = receiver.receivedAt('/traced');
  const attempt = named(trace, 'webhook attempt');
  const sent = of(trace).find(({ parentSpanId }) => parentSpanId === attempt?.spanId);
  expect(received?.headers['traceparent']).toBe(`00-${trace}-${sent?.spanId}-01`);
  expect(attempt?.parentSpanId).toBe(named(trace, 'POST /api/v1/events/webhook/test')?.spanId);
});

test('an invalid traceparent starts a new trace, and probes start none', async () => {
  await fetch(`${apiUrl}/health/live`);
  await fetch(`${apiUrl}/api/v1/nothing`, { headers: { traceparent: '00-zero-zero-01' } });
  const unmatched = () => spans.filter(({ name }) => name === 'GET unmatched');
  await until(() => unmatched().length > 0);
  expect(unmatched().map(({ parentSpanId = '' }) => parentSpanId)).toEqual(['']);
  expect(spans.filter(({ name }) => name.includes('health'))).toEqual([]);
});

test('without a collector nothing is traced, and rows without a trace start none', async () => {
  expect(currentTraceParent()).toBeNull();
  const header = newTrace().header.traceparent;
  expect(
    await inSpanOf(header, 'a step', {}, () => Promise.resolve(currentTraceParent())),
  ).toBeNull();
  expect(await inSpanOf(null, 'a step', {}, () => Promise.resolve('done'))).toBe('done');
});
