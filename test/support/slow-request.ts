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
