import type { DeliveryAppClient } from '../../src/delivery-apps/app-client';
import type { OutboundClient } from '../../src/platform/outbound/types';
import type { ConformanceSubject } from './conformance-subject';
import { payloadOf, readGoldenMenu } from './golden-menus';
import {
  findClosedPort,
  startAnswering,
  startEcho,
  startRaw,
  type HostileServer,
} from './hostile-server';
import { createConformanceClient, createLoopbackClient, credentialOf } from './workbench';

const TOKEN = 'tk-7f3a9+/=&secret-token';

const CLOSED = { date: '2030-12-25', periods: [], name: null };
const SWITCHED = { wireId: 'I1', available: false, until: null };

const BODIES: readonly (readonly [string, string | Buffer])[] = [
  ['nothing', ''],
  ['null', 'null'],
  ['a number', '1'],
  ['text', '"ok"'],
  ['an array', '[{}]'],
  ['an empty object', '{}'],
  ['wrong types', '{"error":{},"errors":{},"errno":"0","menu_id":1,"code":[],"message":{}}'],
  ['wrong elements', '{"errors":[null,1,"x",{},{"code":1}],"data":[],"errno":null}'],
  ['invalid UTF-8', Buffer.from([0x7b, 0xff, 0xfe, 0x7d])],
  ['a hundred thousand brackets', '['.repeat(100_000)],
  ['lists in a hundred thousand lists', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
];

const NO_HTTP: readonly (readonly [string, string])[] = [
  ['no HTTP', 'hello\r\n\r\n'],
  ['nothing', ''],
  ['a short body', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"menu_id":"M1"'],
  ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}'],
  ['endless headers', `HTTP/1.1 200 OK\r\n${'X-Padding: x\r\n'.repeat(10_000)}\r\n`],
];

/** What holds for every app's client, whatever the answer: an outcome, never an exception, and no secret in it. */
export function describeHostileAnswers(subject: ConformanceSubject): void {
  const payload = payloadOf(subject, readGoldenMenu('smallest'));
  const credential = credentialOf(subject);
  const request = { token: TOKEN, appStoreId: subject.store.appStoreId, payload };
  const { store } = credential;
  const { appStoreId } = subject.store;
  const question = { token: TOKEN, appStoreId, taskId: '1', store, pushedAt: new Date(0) };
  const servers: HostileServer[] = [];
  let http: OutboundClient;
  beforeAll(() => {
    http = createLoopbackClient();
  });
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.close();
  });
  afterAll(() => http.close());

  async function clientOf(starting: Promise<HostileServer>) {
    const server = await starting;
    servers.push(server);
    return createConformanceClient(subject, http, server.url);
  }

  /** An app whose key is the token is not asked for one. */
  async function expectToken(client: DeliveryAppClient, kinds: readonly string[]) {
    if (!subject.keyIsToken) expect(kinds).toContain((await client.fetchToken(credential)).kind);
  }

  test.each(BODIES)(
    'status 200 with %s is neither a token nor a readable success',
    async (_, body) => {
      const client = await clientOf(startAnswering(200, body));
      await expectToken(client, ['retry', 'refused']);
      expect((await client.pushMenu(request)).kind).toBe(subject.unreadableSuccess);
      const polled = await client.pollTask?.(question);
      expect(['unknown', 'retry', undefined]).toContain(polled?.kind);
      expect((await client.readBack?.(request))?.kind).not.toBe('same');
    },
  );

  test.each(BODIES)('status 400 with %s is a rejection with a reason', async (_, body) => {
    const client = await clientOf(startAnswering(400, body));
    await expectToken(client, ['refused']);
    const outcome = await client.pushMenu(request);
    expect(outcome.kind).toBe('rejected');
    if (outcome.kind === 'rejected') expect(outcome.reasons.every((one) => one !== '')).toBe(true);
    if (outcome.kind === 'rejected') expect(outcome.reasons.length).toBeGreaterThan(0);
  });

  test.each(NO_HTTP)('%s in place of an answer is unknown', async (_, bytes) => {
    const client = await clientOf(startRaw(bytes));
    await expectToken(client, ['retry']);
    expect((await client.pushMenu(request)).kind).toBe('unknown');
  });

  test('an app that cannot be reached has certainly received nothing', async () => {
    const client = createConformanceClient(subject, http, await findClosedPort());
    await expectToken(client, ['retry']);
    expect((await client.pushMenu(request)).kind).toBe('retry');
  });

  test.each([200, 400, 401, 403, 404, 422])(
    'status %i that repeats the request puts no secret into an outcome',
    async (status) => {
      const client = await clientOf(startEcho(status));
      const calls = { ...request, store: credential.store };
      const outcomes = JSON.stringify([
        subject.keyIsToken ? null : await client.fetchToken(credential),
        await client.pushMenu(request),
        await client.pollTask?.(question),
        await client.readBack?.(request),
        await client.switchItems({ ...calls, items: [SWITCHED] }),
        await client.pauseStore({ ...calls, paused: true, until: null, reason: null }),
        await client.setSpecialDays?.({ ...calls, days: [CLOSED] }),
      ]);
      for (const secret of [credential.clientSecret, TOKEN]) {
        expect(outcomes).not.toContain(secret);
        expect(outcomes).not.toContain(encodeURIComponent(secret));
      }
    },
  );

  test('long reasons are cut at 300 characters', async () => {
    const text = 'x'.repeat(5_000);
    const body = JSON.stringify({ error: text, message: text, errno: 10001, errmsg: text });
    const client = await clientOf(startAnswering(400, body));
    const outcome = await client.pushMenu(request);
    const reasons = outcome.kind === 'rejected' ? outcome.reasons : [];
    for (const reason of reasons) expect(reason.length).toBeLessThanOrEqual(300);
  });
}
