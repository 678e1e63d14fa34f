import { AsyncLocalStorage } from 'node:async_hooks';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { createTemporalClient } from '../../src/platform/temporal/connection';

/** Nothing listens there: each call is tried again and again. */
const AWAY = { TEMPORAL_ADDRESS: '127.0.0.1:1', TEMPORAL_NAMESPACE: 'x' };

test('a connection closed during retries leaves no retry behind that would crash the process', async () => {
  const uncaught: unknown[] = [];
  const note = (error: unknown): unknown => uncaught.push(error);
  process.on('uncaughtException', note);
  try {
    const { connection, workflow } = createTemporalClient(AWAY);
    const calls = Array.from({ length: 5 }, (_, n) => workflow.getHandle(`${n}`).describe());
    const outcomes = Promise.allSettled(calls);
    await delay(400);
    await connection.close();
    await delay(2_500);
    expect(uncaught).toEqual([]);
    expect((await outcomes).map(({ status }) => status)).toEqual(Array(5).fill('rejected'));
  } finally {
    process.off('uncaughtException', note);
  }
});

test('a client with a limit ends its calls with all their tries in that time', async () => {
  const { connection, workflowService } = createTemporalClient(AWAY, { callTimeoutMs: 300 });
  const startedAt = performance.now();
  await expect(workflowService.getSystemInfo({})).rejects.toThrow(/DEADLINE_EXCEEDED/);
  // A try fails at once, and the SDK would make ten of them in some 20 s.
  expect(performance.now() - startedAt).toBeLessThan(10_000);
  await connection.close();
});

test('a call names its namespace once, without a hook for every promise of the process', async () => {
  const received: IncomingHttpHeaders[] = [];
  const server = createServer().on('stream', (stream, headers) => {
    received.push(headers);
    const unimplemented = { 'grpc-status': '12' };
    stream.respond({ 'content-type': 'application/grpc', ...unimplemented }, { endStream: true });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const uses = jest.spyOn(AsyncLocalStorage.prototype, 'run');
  const settings = { TEMPORAL_ADDRESS: `127.0.0.1:${port}`, TEMPORAL_NAMESPACE: 'ours' };
  const { connection, workflow } = createTemporalClient(settings, { callTimeoutMs: 20_000 });
  try {
    const call = workflow.signalWithStart('line', {
      workflowId: 'line',
      taskQueue: 'lines',
      signal: 'wake',
    });
    await expect(call).rejects.toThrow(/workflow/i);
    const found = received.map((headers) => [headers[':path'], headers['temporal-namespace']]);
    expect(found).toEqual([
      ['/temporal.api.workflowservice.v1.WorkflowService/SignalWithStartWorkflowExecution', 'ours'],
    ]);
    expect(uses).not.toHaveBeenCalled();
  } finally {
    uses.mockRestore();
    await connection.close();
    server.close();
  }
});
