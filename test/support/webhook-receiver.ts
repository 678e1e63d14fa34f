import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedWebhook {
  readonly path: string;
  /** ms since the epoch. */
  readonly at: number;
  /** The `webhook-id`. */
  readonly id: string;
  readonly sequence: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Answers one webhook, or does not. `nth` counts the webhooks of this path, from 1. */
export type AnswerWebhook = (
  response: ServerResponse,
  webhook: ReceivedWebhook,
  nth: number,
) => void;

export interface WebhookReceiver {
  readonly url: string;
  /** In order of arrival. */
  readonly received: readonly ReceivedWebhook[];
  receivedAt(path: string): ReceivedWebhook[];
  /** From now on webhooks to `path` are answered like this; without, by 204 at once. */
  answer(path: string, answer: AnswerWebhook): void;
  close(): Promise<void>;
}

/** Answers with this status and body. */
export function status(
  code: number,
  body?: string,
  headers: Record<string, string> = {},
): AnswerWebhook {
  return (response) => {
    response.writeHead(code, headers);
    response.end(body);
  };
}

/** A receiver of webhooks on 127.0.0.1; each path can behave differently. */
export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const received: ReceivedWebhook[] = [];
  const answers = new Map<string, AnswerWebhook>();
  const receivedAt = (path: string) => received.filter((each) => each.path === path);
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const path = request.url ?? '';
      const webhook: ReceivedWebhook = {
        path,
        at: Date.now(),
        id: String(request.headers['webhook-id']),
        sequence: Number(request.headers['webhook-sequence']),
        headers: request.headers,
        body: Buffer.concat(chunks).toString('utf8'),
      };
      received.push(webhook);
      (answers.get(path) ?? status(204))(response, webhook, receivedAt(path).length);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    receivedAt,
    answer: (path, answer) => answers.set(path, answer),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
