import { createScriptedEndpoint } from './receiver/scripted-endpoint';
import type { SandboxPartFactory } from './sandbox-part';

/**
 * An inventory system's webhook receiver. Any path below `/receiver` accepts webhooks, so that several subscriptions
 * can be distinguished; `POST /receiver/_sandbox/secret` sets their secrets.
 */
export function createReceiver(): SandboxPartFactory {
  const options = {
    name: 'receiver',
    description: 'Takes webhooks on any path and answers 204, or what POST _sandbox/answers says.',
    defaultAnswer: { status: 204 },
    secrets: [],
  };
  return (env) => createScriptedEndpoint(options, env);
}
