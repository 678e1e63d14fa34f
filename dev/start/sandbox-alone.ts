import { parseArgs } from 'node:util';
import { APP_NAMES } from '../../src/delivery-apps/types';
import { dropWhenReaderIsGone } from '../../src/platform/observe/broken-pipe';
import { generateSecret } from '../../src/platform/crypto/signing';
import { stopOnSignals } from '../../src/run/stop-on-signals';
import { startDemoSandbox } from '../demo/demo-sandbox';
import { requireFreePort } from '../processes/free-port';
import { createSender } from '../sandbox/sender';
import { readLevels, readPort } from './start-settings';

const HELP = 'npm run sandbox           runs the sandbox alone, on SANDBOX_PORT (4010)\n';

/** Credentials for the simulated apps; nothing real is behind them. */
const CLIENT = { clientId: 'sandbox', clientSecret: 'sandbox' };

/** `npm run sandbox`: the sandbox without the service, to develop an adapter or a receiver. */
async function main(): Promise<void> {
  dropWhenReaderIsGone(process.stdout, process.stderr);
  const { help } = parseArgs({ options: { help: { type: 'boolean', short: 'h' } } }).values;
  if (help) return void process.stdout.write(HELP);
  const env = process.env;
  const port = readPort(env, 'SANDBOX_PORT', 4010);
  await requireFreePort(port, 'SANDBOX_PORT');
  const secret = generateSecret();
  const settings = {
    // Where callbacks go when a service runs beside it.
    PORT: readPort(env, 'PORT', 3000),
    APP_C_LEVELS: readLevels(env),
    APP_D_PRICE_UNIT: env['APP_D_PRICE_UNIT'] === 'decimal' ? 'decimal' : 'unit',
  } as const;
  const secrets = { ...CLIENT, posSecret: secret };
  const sandbox = await startDemoSandbox(port, secrets, settings, [createSender({ secret })]);
  stopOnSignals({
    signals: ['SIGINT', 'SIGTERM', 'SIGHUP'],
    stop: () => sandbox.close(),
    onFailure: (error) => process.stderr.write(`${String(error)}\n`),
  });
  process.stdout.write(welcome(sandbox.url, secret));
}

function welcome(url: string, secret: string): string {
  return `
  Delivery apps  ${url}/${APP_NAMES[0]} … /${APP_NAMES.at(-1)}
  Client         id ${CLIENT.clientId}, secret ${CLIENT.clientSecret}
  POS            ${url}/pos
  Secret         ${secret} (signs webhooks and requests to the POS)

Write an adapter: App B sells a token, and shows the menus that it took.

  curl ${url}/app-b/oauth/token --data 'grant_type=client_credentials&client_id=${CLIENT.clientId}&client_secret=${CLIENT.clientSecret}'
  curl ${url}/app-b/_sandbox/menus

Write a receiver: give it the secret, let a signed stock movement be sent to it, and read what the service would make of its answer.

  curl ${url}/sender/_sandbox/send --data '{"url":"http://127.0.0.1:8080/webhooks"}'

All pages, and how to make it fail: dev/sandbox/README.md. Ctrl-C stops it; nothing is kept.
`;
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
