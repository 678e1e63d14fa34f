import { findFreePort } from '../../dev/processes/free-port';
import { startTestApi } from '../support/api';
import { send, sendAs, startWorld } from './world';

const get = (path: string) => ({ method: 'GET', path });

test('a process is ready while Postgres is there with our schema, but not while it is stopping or Postgres is away', async () => {
  const api = await startTestApi();
  try {
    expect(await send(api, get('/health/live'))).toMatchObject({
      status: 200,
      json: { status: 'ok' },
    });
    expect(await send(api, get('/health/ready'))).toMatchObject({
      status: 200,
      json: {
        status: 'ok',
        postgres: 'ok',
        stopping: false,
        temporal: expect.stringMatching(/^(ok|unreachable)$/),
        oldest_due_seconds: expect.any(Number),
        clock_skew_seconds: 0,
      },
    });
    await api.sql`alter table schema_migration rename to elsewhere`;
    expect(await send(api, get('/health/ready'))).toMatchObject({
      status: 503,
      json: { status: 'unavailable', postgres: 'schema_behind' },
    });
    expect((await send(api, get('/health/live'))).status).toBe(200);
  } finally {
    await api.stop();
  }
});

test('the description and the page to try it are public', async () => {
  const api = await startTestApi();
  try {
    expect(await send(api, get('/openapi.json'))).toMatchObject({
      status: 200,
      json: { openapi: expect.stringMatching(/^3\.1\./) },
    });
    const page = await send(api, get('/docs'));
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toMatch(/^text\/html/);
  } finally {
    await api.stop();
  }
});

describe('metrics', () => {
  test('report requests by route, uploads by state, the queue’s age, and what is reachable', async () => {
    const world = await startWorld();
    try {
      await world.owner.get('/menus/uploads/upl_00000000000000000000000000000000');
      await world.api.sql`
        update menu_upload set created_at = now() - interval '90 s', next_attempt_at = null`;
      const answer = await send(world.api, get('/metrics'));
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
      const lines = answer.text.split('\n');
      const valueOf = (name: string) =>
        Number(
          lines
            .find((line) => line.startsWith(`${name} `))
            ?.split(' ')
            .at(-1),
        );
      const route = '/api/v1/menus/uploads/:upload_id';
      expect(
        valueOf(`http_request_duration_seconds_count{method="GET",route="${route}",status="404"}`),
      ).toBe(1);
      const [queued] = await world.api.sql<{ count: number }[]>`
        select count(*)::int as count from menu_upload where state = 'queued'`;
      expect(valueOf('menu_uploads{state="queued"}')).toBe(queued?.count);
      expect(queued?.count).toBeGreaterThan(0);
      expect(valueOf('oldest_due_row_age_seconds')).toBeGreaterThan(80);
      expect(valueOf('postgres_reachable')).toBe(1);
      expect(valueOf('temporal_reachable')).toBeLessThanOrEqual(1);
      expect(valueOf('process_resident_memory_bytes')).toBeGreaterThan(0);
      expect(answer.text).not.toContain('upl_');
    } finally {
      await world.stop();
    }
  });

  test('work without Postgres too, and report that it is away', async () => {
    const api = await startTestApi();
    try {
      await api.sql`alter table menu_upload rename to elsewhere`;
      const { status, text } = await send(api, get('/metrics'));
      expect(status).toBe(200);
      expect(text).toContain('postgres_reachable 0');
      expect(text).not.toMatch(/^oldest_due_row_age_seconds /m);
    } finally {
      await api.stop();
    }
  });

  test('are only on METRICS_PORT if that is set', async () => {
    const port = await findFreePort();
    const api = await startTestApi({ METRICS_PORT: String(port) });
    try {
      expect((await send(api, get('/metrics'))).status).toBe(404);
      const own = `http://127.0.0.1:${port}`;
      expect((await fetch(`${own}/metrics`)).status).toBe(200);
      expect((await fetch(`${own}/api/v1/store`)).status).toBe(404);
      expect((await fetch(`${own}/metrics`, { method: 'POST' })).status).toBe(405);
    } finally {
      await api.stop();
    }
  });
});

test('whatever fails inside, every endpoint only says that something went wrong', async () => {
  const world = await startWorld();
  try {
    const requests = world.requests();
    // Every statement of a request begins with its token.
    await world.api.sql`alter table access_token rename to elsewhere`;
    const stranger = { ...world.owner, token: 'not looked up before' };
    for (const request of requests) {
      const answer = await sendAs(world.api, stranger, request);
      expect(answer).toMatchObject({
        status: 500,
        json: { message: ['Something went wrong.'], data: null },
      });
      const problem = await sendAs(world.api, stranger, request, {
        accept: 'application/problem+json',
      });
      expect(problem.json).toEqual({
        type: 'about:blank',
        title: 'Internal Server Error',
        status: 500,
        detail: 'Something went wrong.',
        code: 'internal',
        errors: [{ code: 'internal', pointer: '', detail: 'Something went wrong.' }],
      });
    }
  } finally {
    await world.stop();
  }
});
