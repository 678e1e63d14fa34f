import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { pythonFiles, snake } from '../../dev/docs/write-python-client';
import { ROUTES } from '../../src/run/routes';
import { startWorld, type World } from '../api-contract/world';
import { declaredParts } from '../support/declared-request';
import { operations, undescribed } from '../support/openapi-reader';

const PACKAGE = join(__dirname, '../../clients/python');
/** No files beside the sources, and every warning is an error. */
const PYTHON = ['python3', '-B', '-W', 'error'] as const;
const env = { ...process.env, PYTHONPATH: PACKAGE };

test('the written files of the client match the description (update them with npm run clients)', () => {
  for (const [file, text] of Object.entries(pythonFiles())) {
    expect(readFileSync(file, 'utf8')).toBe(text);
  }
});

const hasPython =
  spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 11))']).status === 0;

if (!hasPython) {
  test('NOT RUN: the client in Python, as python3 is missing or older than 3.11', () => {
    expect(hasPython).toBe(false);
  });
} else {
  test('its own tests pass: repeats, refusals, lists, waiting, webhooks', () => {
    const [python, ...options] = PYTHON;
    const args = [...options, '-m', 'unittest', 'discover', '-s', 'tests'];
    const { status, stderr } = spawnSync(python, args, { cwd: PACKAGE, env, encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: expect.stringMatching(/\nOK\n$/) });
    expect(Number(/Ran (\d+) tests/.exec(stderr)?.[1])).toBeGreaterThan(10);
  }, 60_000);

  describe('every operation, called with the example of the description', () => {
    /** Those that take something away come last: the others would miss it. */
    const callable = operations
      .map(({ operation }) => operation.operationId)
      .filter((id) => !/^app[A-Z]Callback$/.test(id))
      .toSorted((a, b) => Number(a.startsWith('delete')) - Number(b.startsWith('delete')));
    let answers: ReadonlyMap<string, PythonAnswer>;
    let world: World;

    beforeAll(async () => {
      world = await startWorld();
      const calls = [];
      for (const id of callable) calls.push(await callOf(world, id));
      answers = new Map(
        (await callAll(world, calls)).map((each, at) => [callable[at] ?? '', each]),
      );
    }, 60_000);
    afterAll(() => world.stop());

    test.each(callable)('%s', (id) => {
      const { status = 0, headers, body } = answers.get(id) ?? {};
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      expect({ id, ok: status >= 200 && status < 300, text }).toEqual({ id, ok: true, text });
      expect(undescribed(id, { status, headers: new Headers(headers), text, json: body })).toEqual(
        [],
      );
    });
  });
}

interface PythonCall {
  readonly method: string;
  readonly args: readonly unknown[];
  readonly named: object;
}

interface PythonAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

async function callOf(world: World, id: string): Promise<PythonCall> {
  const route = ROUTES.find((each) => each.id === id);
  if (!route) throw new Error(`${id} is served by no route`);
  // They can end a thing only once.
  const ids = /^(delete|unlink|cancelUpload|revert)/.test(id) ? await world.spare() : world.ids;
  const { path, query, body } = declaredParts(route, ids);
  return {
    method: snake(id),
    args: [...Object.values(path), ...(body === undefined ? [] : [body])],
    named: query,
  };
}

/** One process for all calls, since starting Python takes longer than they do. */
async function callAll(world: World, calls: readonly PythonCall[]): Promise<PythonAnswer[]> {
  const [python, ...options] = PYTHON;
  const script = join(PACKAGE, 'tests/call_operations.py');
  const child = spawn(python, [...options, script], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(JSON.stringify({ base_url: world.api.url, token: world.owner.token, calls }));
  const lines = (await textOf(child.stdout)).trim().split('\n');
  return lines.map((line) => JSON.parse(line) as PythonAnswer);
}
