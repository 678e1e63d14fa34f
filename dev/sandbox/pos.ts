import { createScriptedEndpoint } from './receiver/scripted-endpoint';
import type { SandboxPartFactory } from './sandbox-part';

/** A POS that accepts stock updates; `secret` (`whsec_…`) is the one with which the platform signs its requests. */
export function createPos({ secret }: { readonly secret: string }): SandboxPartFactory {
  const options = {
    name: 'pos',
    description:
      'Takes stock updates on any path and answers ok, or what POST _sandbox/answers says.',
    defaultAnswer: { status: 200, body: { message: 'ok' } },
    secrets: [secret],
  };
  return (env) => createScriptedEndpoint(options, env);
}
