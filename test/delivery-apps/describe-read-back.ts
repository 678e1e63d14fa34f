import type { ConformanceSubject } from './conformance-subject';
import { payloadOf, readGoldenMenu } from './golden-menus';
import { openWorkbench, type Workbench } from './workbench';

/** What holds for apps that can be asked what they show. */
export function describeReadBack(subject: ConformanceSubject): void {
  const payload = payloadOf(subject, readGoldenMenu('pizza-with-extras'));
  const older = payloadOf(subject, readGoldenMenu('smallest'));
  let bench: Workbench;
  beforeAll(async () => {
    bench = await openWorkbench(subject);
  });
  beforeEach(() => bench.reset());
  afterAll(() => bench.close());

  const readBack = async () => bench.client.readBack?.(bench.request(payload, await bench.token()));

  test('what was pushed reads back the same', async () => {
    await bench.push(payload);
    expect(await readBack()).toEqual({ kind: 'same' });
  });

  test('success that left the old menu reads back different', async () => {
    await bench.push(older);
    await bench.queueFault({ kind: 'ok_but_old' });
    expect(await bench.push(payload)).toMatchObject({ kind: 'live' });
    expect(await readBack()).toEqual({ kind: 'different' });
  });

  test('a store without menu reads back different', async () => {
    expect(await readBack()).toEqual({ kind: 'different' });
  });

  test.each([
    [{ kind: 'status', status: 503 }, 'retry'],
    [{ kind: 'rate_limit', s: 7 }, 'retry'],
    [{ kind: 'token_expired' }, 'token_expired'],
    [{ kind: 'bad_json' }, 'unknown'],
    [{ kind: 'bad_json', mode: 'cut' }, 'unknown'],
    [{ kind: 'endless_body' }, 'unknown'],
    [{ kind: 'reset_mid' }, 'unknown'],
    [{ kind: 'redirect' }, 'unknown'],
  ])('%j while reading back: %s', async (fault, kind) => {
    await bench.push(payload);
    await bench.queueFault({ ...fault, route: 'read' });
    expect(await readBack()).toMatchObject({ kind });
    expect(await readBack()).toEqual({ kind: 'same' });
  });
}
