import { request } from 'undici';

/*
 * Requests previews from a process of its own: what it reads, tens of megabytes a second, must not delay the requests
 * that the bench times. The settings are the first message; `begin` has each of so many clients preview until so many
 * previews have begun, or `end`. Then all times are sent back, ms.
 */

export interface PreviewSettings {
  readonly origin: string;
  readonly token: string;
  readonly body: string;
}

export type PreviewLoadMessage =
  | { readonly settings: PreviewSettings }
  | { readonly begin: { readonly clients: number; readonly previews: number } }
  | { readonly end: true };

export interface PreviewTimes {
  readonly times: readonly number[];
}

let settings: PreviewSettings | undefined;
let left = 0;

async function preview({ origin, token, body }: PreviewSettings): Promise<number> {
  const at = performance.now();
  const answer = await request(`${origin}/api/v1/menus/preview?include=shown,changes`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body,
  });
  // All of it is read: `dump` would close the connection after 128 KB.
  for await (const _ of answer.body);
  if (answer.statusCode !== 200) throw new Error(`a preview was answered ${answer.statusCode}`);
  return performance.now() - at;
}

async function begin(clients: number, previews: number): Promise<void> {
  const times: number[] = [];
  left = previews;
  const settled = settings;
  if (!settled) throw new Error('the settings come first');
  const client = async () => {
    while (left > 0) {
      left -= 1;
      times.push(await preview(settled));
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  const answer: PreviewTimes = { times };
  process.send?.(answer);
}

process.on('message', (message: PreviewLoadMessage) => {
  if ('settings' in message) settings = message.settings;
  else if ('begin' in message) void begin(message.begin.clients, message.begin.previews);
  else left = 0;
});
