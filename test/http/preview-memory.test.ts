import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { startTestApi, type TestApi } from '../support/api';
import { connectApps } from '../support/connect-apps';
import { sizedMenu } from '../support/sized-menu';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.stop());

/** Asks from another process, whose memory is not counted, and prints the length of each answer. */
const CALLER = `
  const [url, token, body] = process.argv.slice(1);
  (async () => {
    const headers = { authorization: 'Bearer ' + token, 'content-type': 'application/json' };
    for (let n = 0; n < 12; n += 1) {
      const answer = await fetch(url, { method: 'POST', headers, body });
      console.log(JSON.stringify([answer.status, (await answer.arrayBuffer()).byteLength]));
    }
  })();`;

test('the memory of a request and its answer is free when that is sent, without a collection of garbage', async () => {
  const owner = await api.user();
  const storeId = await api.store(owner);
  await connectApps(api, storeId, ['app-a', 'app-b', 'app-c']);
  // An argument of a program has at most 128 KB.
  const body = JSON.stringify({ ...sizedMenu(400, 1), store_id: storeId });
  const ask = async () => {
    const url = `${api.url}/api/v1/menus/preview?include=shown,payload,changes`;
    const { stdout } = await promisify(execFile)(process.execPath, [
      '-e',
      CALLER,
      url,
      owner.token,
      body,
    ]);
    return stdout
      .trim()
      .split('\n')
      .map((line): [number, number] => JSON.parse(line));
  };
  await ask();
  const before = process.memoryUsage().arrayBuffers;
  const answers = await ask();
  const grown = process.memoryUsage().arrayBuffers - before;
  const sent = answers.reduce((sum, [, bytes]) => sum + bytes, 0);
  expect(answers.map(([status]) => status)).toEqual(Array(12).fill(200));
  expect(sent).toBeGreaterThan(6_000_000);
  // The pieces in which the requests arrived go with the next collection, which may not have come.
  const arrived = answers.length * Buffer.byteLength(body);
  expect(grown).toBeLessThan(sent / 20 + arrived);
});
