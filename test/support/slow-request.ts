import { type ClientRequest, request as sendRequest } from 'node:http';
import { text as textOf } from 'node:stream/consumers';

/** A request whose headers are sent, and of its body so much as the test writes. */
export interface SlowRequest {
  readonly sending: ClientRequest;
  readonly answered: Promise<SlowAnswer>;
}

export interface SlowAnswer {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly text: string;
}

const DRIP_BYTES = 8 * 1_024;
const DRIP_MS = 250;

/**
 * Sends so much of a body of this size that it has all of its memory, which is doubled as it comes, and then goes on
 * just fast enough not to be ended for its speed, until the request is cut off.
 */
export function goOn({ sending }: SlowRequest, bytes: number): void {
  const first = 2 ** (Math.ceil(Math.log2(bytes)) - 1) + 1;
  let left = bytes - first;
  sending.write(Buffer.alloc(first, 0x20));
  const drip = setInterval(() => {
    if (left <= DRIP_BYTES) return;
    left -= DRIP_BYTES;
    sending.write(Buffer.alloc(DRIP_BYTES, 0x20));
  }, DRIP_MS);
  sending.once('close', () => clearInterval(drip));
}

export function beginRequest(
  url: string,
  headers: Readonly<Record<string, string | number>>,
): SlowRequest {
  const sending = sendRequest(url, { method: 'POST', headers });
  const answered = new Promise<SlowAnswer>((resolve, reject) => {
    sending.once('error', reject);
    sending.once('response', (response) => {
      const { statusCode: status = 0, headers: received } = response;
      textOf(response).then(
        (text) => resolve({ status, retryAfter: received['retry-after'], text }),
        reject,
      );
    });
  });
  // Most tests cut it off and do not wait for the answer.
  answered.catch(() => {});
  sending.flushHeaders();
  return { sending, answered };
}
