import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { inBrowser, startBrowser } from '../support/browser';
import { until } from '../support/until';

const [describeInBrowser, title] = inBrowser('the browser of the tests');

describeInBrowser(title, () => {
  test('complains of what the content security policy refuses, and of errors in scripts', async () => {
    const server = createServer((_request, response) => {
      response.setHeader('content-security-policy', "default-src 'none'; img-src data:");
      response.setHeader('content-type', 'text/html');
      response.end('<title>x</title><link rel="icon" href="data:,"><p style="color:red">x</p>');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const browser = await startBrowser();
    try {
      await browser.open(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
      await browser.evaluate(`void setTimeout(() => { throw new Error('broken script'); }, 0)`);
      await until(() => browser.complaints.length >= 2);
      expect(browser.complaints.toSorted()).toEqual([
        expect.stringContaining('Content Security Policy'),
        expect.stringContaining('broken script'),
      ]);
    } finally {
      await browser.close();
      server.close();
    }
  });
});
