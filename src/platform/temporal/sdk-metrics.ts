import { createServer } from 'node:net';
import { withinMs } from '../within-ms';

/** Where the SDK exposes its own metrics, on this machine only. */
export interface SdkMetrics {
  /** `host:port` for the SDK to listen on. */
  readonly bindAddress: string;
  /** Their text; empty if the SDK does not answer, because the other metrics matter more. */
  readonly read: () => Promise<string>;
}

/** A scrape has 10 s by default, and the SDK answers within milliseconds. */
const WITHIN_MS = 1_000;

/** The SDK's metrics are only available from its own exporter, so it listens on a free port that only we read. */
export async function chooseSdkMetrics(): Promise<SdkMetrics> {
  const bindAddress = `127.0.0.1:${await freePort()}`;
  return {
    bindAddress,
    async read() {
      try {
        return await withinMs(WITHIN_MS, async (signal) => {
          const response = await fetch(`http://${bindAddress}/metrics`, { signal });
          return response.ok ? await response.text() : '';
        });
      } catch {
        return '';
      }
    },
  };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}
