import { createAppB } from '../../dev/sandbox/app-b/app-b';
import { startSandbox } from '../../dev/sandbox/sandbox';
import { simulateApp } from '../../dev/sandbox/simulated-app';

/** The simulated App B of a benchmark, in its own process: reports its address, and runs until its parent is gone. */
async function main(): Promise<void> {
  const credential = { clientId: 'bench', clientSecret: 'bench' };
  const sandbox = await startSandbox({ port: 0, parts: [simulateApp(createAppB(credential))] });
  process.send?.({ url: `${sandbox.url}/app-b`, ...credential } satisfies SandboxAddress);
}

export interface SandboxAddress {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

process.once('disconnect', () => process.exit());
void main();
