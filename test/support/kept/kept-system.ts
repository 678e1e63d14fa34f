import { prepareSystem, type SharedSystem, type System } from '../prepare-system';

declare global {
  /** Set here; called when no file of this process is left. */
  var stopKeptSystem: (() => Promise<void>) | undefined;
}

let kept: Promise<System> | undefined;

/**
 * The system that a process of tests keeps for all its files: an API and a worker, each a process of its own, so that
 * neither the clock nor the memory of a test is theirs. What is in this folder is loaded once (`runtime.js`).
 */
export function keptSystem(): Promise<Pick<SharedSystem, 'env' | 'apiUrl'>> {
  kept ??= start();
  return kept;
}

async function start(): Promise<System> {
  const system = await prepareSystem();
  globalThis.stopKeptSystem = () => system.stop();
  const [api] = await Promise.all([
    system.startChild({ role: 'api' }),
    system.startChild({ role: 'worker' }),
  ]);
  return { ...system, apiUrl: () => api.url };
}
