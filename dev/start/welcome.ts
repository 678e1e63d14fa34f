import { relative, resolve } from 'node:path';
import type { Config } from '../../src/platform/config/config';
import { STOCK_STORE_ID } from '../demo/demo-inventory';

export interface WelcomeOptions {
  readonly config: Config;
  readonly token: string;
  readonly sandboxUrl: string;
  readonly directory: string;
}

export const TO_STOP = 'Ctrl-C stops everything; npm start goes on where it was.';

/**
 * Shown when the API answers: the addresses, and commands to paste. On a machine that has to get Temporal first, that
 * is minutes before menus reach their apps; they are accepted from now on.
 */
export function createWelcome({ config, token, sandboxUrl, directory }: WelcomeOptions): string {
  const api = `http://127.0.0.1:${config.PORT}`;
  const rows = [
    ['API', `${api}/api/v1`],
    ['To read', `${api}/docs (every endpoint, to read and try)`],
    ['Console', `${api}/console (what is wrong now, uploads, deliveries; sign in with the token)`],
    ['Temporal UI', config.TEMPORAL_UI_URL ?? '(of your own server)'],
    ['Sandbox', sandboxUrl],
    ['Token', token],
    ['State', `${asPasted(directory) || '.'} (kept; npm start -- --reset starts over)`],
  ] as const;
  return `
${rows.map(([name, value]) => `  ${name.padEnd(12)} ${value}`).join('\n')}

Upload a menu to App B:

  curl -i ${api}/api/v1/menus/upload \\
    -H 'Authorization: Bearer ${token}' \\
    -H 'Content-Type: application/json' \\
    --data @${asPasted('dev/demo/menu.json')}

What App B shows now:  curl ${sandboxUrl}/app-b/_sandbox/menus

Tell the inventory system of store ${STOCK_STORE_ID} that two pizzas were sold, and wait for its acknowledgement:

  curl -i ${api}/api/v1/pos/store/${STOCK_STORE_ID}/inventory/stock \\
    -H 'Authorization: Bearer ${token}' \\
    -H 'Content-Type: application/json' \\
    --data '{"external_id":"margherita","current_stock":"18","quantity":"2","date":"2026-01-31T19:45:00Z","movement_type":2}'

What it received:      curl ${sandboxUrl}/receiver/_sandbox/requests

All of this answers now. Still being prepared: Temporal, without which no menu reaches an app. A menu that is sent before
it runs is accepted, answered 202, kept, and uploaded then; it is said here when everything runs.
`;
}

/** A path for the folder in which npm or npx was called: whole where that is not this folder, as from a tarball. */
function asPasted(path: string): string {
  const called = process.env['INIT_CWD'] ?? process.cwd();
  return called === process.cwd() ? relative(called, path) : resolve(path);
}
