import { APP_STORE_IDS, DEMO_RAPPI_ID } from './demo-data';
import type { Config } from '../../src/platform/config/config';
import type { DemoSecrets } from './demo-secrets';
import { createAppA } from '../sandbox/app-a/app-a';
import { createAppB } from '../sandbox/app-b/app-b';
import { createAppC } from '../sandbox/app-c/app-c';
import { createAppD } from '../sandbox/app-d/app-d';
import { createPos } from '../sandbox/pos';
import { createReceiver } from '../sandbox/receiver';
import { type Sandbox, startSandbox } from '../sandbox/sandbox';
import type { SandboxPartFactory } from '../sandbox/sandbox-part';
import { simulateApp } from '../sandbox/simulated-app';

/** The whole neighbourhood: four delivery apps, a webhook receiver and a POS, and whatever else is given. */
export function startDemoSandbox(
  port: number,
  { clientId, clientSecret, posSecret }: Omit<DemoSecrets, 'encryptionKey' | 'demoToken'>,
  config: Pick<Config, 'PORT' | 'APP_C_LEVELS' | 'APP_D_PRICE_UNIT'>,
  others: readonly SandboxPartFactory[] = [],
): Promise<Sandbox> {
  const credential = { clientId, clientSecret };
  return startSandbox({
    port,
    parts: [
      simulateApp(createAppA(credential)),
      simulateApp(createAppB(credential)),
      simulateApp(
        createAppC({
          ...credential,
          stepMs: 300,
          levels: config.APP_C_LEVELS,
          callbackUrl: () => `http://127.0.0.1:${config.PORT}/callbacks/app-c/3`,
        }),
      ),
      simulateApp(
        createAppD({
          ...credential,
          stepMs: 300,
          rappiIds: { [APP_STORE_IDS['app-d']]: DEMO_RAPPI_ID },
          decimals: config.APP_D_PRICE_UNIT === 'decimal',
          callbackUrl: () => `http://127.0.0.1:${config.PORT}/callbacks/app-d/4`,
        }),
      ),
      createReceiver(),
      createPos({ secret: posSecret }),
      ...others,
    ],
  });
}
