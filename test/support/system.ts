import { loadConfig } from '../../src/platform/config/config';
import { connect } from '../../src/platform/db/client';
import { keptSystem } from './kept/kept-system';
import {
  createTester,
  type Parts,
  prepareSystem,
  type SharedSystem,
  stopLater,
  type System,
  type SystemOptions,
  withShops,
} from './prepare-system';

export { prepareSystem, stopSystems } from './prepare-system';
export type { SharedSystem, System, SystemOptions } from './prepare-system';

/**
 * Without options, the system that this process of tests keeps for all its files, with a new user; so nothing there is
 * counted, killed or set. With options, a system of the test's own, with an API and a worker in this process.
 */
export function startSystem(): Promise<SharedSystem>;
export function startSystem(options: SystemOptions): Promise<System>;
export async function startSystem(options?: SystemOptions): Promise<SharedSystem> {
  if (options === undefined) return joinKeptSystem();
  const system = await prepareSystem(options);
  await Promise.all([system.startApi(), system.startWorker()]);
  return system;
}

async function joinKeptSystem(): Promise<SharedSystem> {
  const { env, apiUrl } = await keptSystem();
  const config = loadConfig(env);
  const sql = connect(config.DATABASE_URL, { max: 4 });
  const parts: Parts = [() => sql.end({ timeout: 1 })];
  const system = { env, ...withShops(await createTester(sql, config, apiUrl), parts) };
  stopLater(system);
  return system;
}
