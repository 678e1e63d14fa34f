import type { Config } from '../src/config';
import type { DemoSecrets } from './demo-secrets';
import { createAppA } from './sandbox/app-a/app-a';
import { createAppB } from './sandbox/app-b/app-b';
import { createAppC } from './sandbox/app-c/app-c';
import { createAppD } from './sandbox/app-d/app-d';
import { createPos } from './sandbox/pos';
import { createReceiver } from './sandbox/receiver';
import { type Sandbox, startSandbox } from './sandbox/sandbox';
import { simulateApp } from './sandbox/simulated-app';

/** The whole neighbourhood: four delivery apps, a webhook receiver and a POS. */
export function startDemoSandbox(
  port: number,
  { clientId, clientSecret, posSecret }: DemoSecrets,
  config: Pick<Config, 'PORT' | 'APP_D_PRICE_UNIT'>,
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
          callbackUrl: () => `http://127.0.0.1:${config.PORT}/callbacks/app-c/3`,
        }),
      ),
      simulateApp(
        createAppD({
          ...credential,
          stepMs: 300,
          decimals: config.APP_D_PRICE_UNIT === 'decimal',
          callbackUrl: () => `http://127.0.0.1:${config.PORT}/callbacks/app-d/4`,
        }),
      ),
      createReceiver(),
      createPos({ secret: posSecret }),
    ],
  });
}
