import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Config, loadConfig } from '../src/config';
import { createConfiguredSecretBox } from '../src/configured-secrets';
import { connect } from '../src/db/client';
import { migrate } from '../src/db/migrate';
import { createLog } from '../src/log';
import type { Metrics } from '../src/metrics';
import { runApi } from '../src/run-api';
import { runWorker } from '../src/run-worker';
import { prepareDemoData } from './demo-data';
import { type DemoSecrets, loadDemoSecrets } from './demo-secrets';
import { startPostgres } from './embedded-postgres';
import { dataDirectory, keepEnvironment } from './environment';
import { createProgressLine, type OnProgress, whileWaiting } from './progress';
import { startDemoSandbox } from './demo-sandbox';
import { findTemporalBinary } from './temporal-binary';
import { startTemporal } from './temporal-server';
import { createWelcome } from './welcome';
import { inBackground } from '../src/in-background';
import { catchUnownedRejections } from '../src/unowned-rejections';
import { stopOnSignals } from '../src/stop-on-signals';
import { stopServerProcesses } from './server-process';

type Environment = Record<string, string | undefined>;

interface Part {
  stop(): Promise<void>;
}

/** The variables of `npm start` itself; everything else is passed through to `src/config.ts`. */
function readStartSettings(env: Environment) {
  const port = (name: string, fallback: number): number => {
    const value = Number(env[name] || fallback);
    if (!Number.isInteger(value) || value < 1 || value > 65_535) {
      throw new Error(`${name} must be a port`);
    }
    return value;
  };
  return {
    directory: dataDirectory(env),
    sandboxPort: port('SANDBOX_PORT', 4010),
    temporalPort: port('TEMPORAL_PORT', 7233),
    temporalUiPort: port('TEMPORAL_UI_PORT', 8233),
  };
}

/** Starts every part in the order in which they need each other, and stops them in the opposite one. */
async function main(): Promise<void> {
  const progress = createProgressLine(process.stderr);
  const parts: Part[] = [];
  const stopAll = async (): Promise<void> => {
    for (const part of parts.splice(0).toReversed()) await part.stop();
  };
  stopOnSignals({
    signals: ['SIGINT', 'SIGTERM', 'SIGHUP'],
    async stop() {
      if (parts.length > 0) process.stdout.write('\nStopping …\n');
      await stopAll();
      // Those that were still starting.
      await stopServerProcesses();
    },
    onFailure: (error) => process.stderr.write(`${String(error)}\n`),
  });
  try {
    const env: Environment = { ...process.env };
    const settings = readStartSettings(env);
    await mkdir(settings.directory, { recursive: true });
    const demo = await loadDemoSecrets(settings.directory);
    await Promise.all([
      startDatabase(env, settings.directory, parts, progress.report),
      startTemporalServer(env, settings, parts, progress.report),
    ]);
    const config = await configure(env, demo, settings.directory);
    const token = env['DEMO_TOKEN'] || demo.demoToken;
    const sandbox = await startDemoSandbox(settings.sandboxPort, demo, config);
    parts.push({ stop: () => sandbox.close() });
    await prepareDatabase(config, demo, token, sandbox.url);

    const log = createLog(env['LOG_LEVEL'] || 'warn');
    catchUnownedRejections(log);
    const api = await runApi({ config, log });
    const service: Part[] = [api];
    // At once: a caller that waits gets its 202 from the API while the worker ends what it has under way.
    parts.push({
      async stop() {
        await Promise.all(service.map((part) => part.stop()));
      },
    });
    await whileWaiting(
      'Bundling the workflows',
      progress.report,
      startWorker(config, log, service, api.metrics),
    );
    progress.clear();
    process.stdout.write(createWelcome({ config, token, sandboxUrl: sandbox.url, ...settings }));
  } catch (error) {
    progress.clear();
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
    await stopAll();
  }
}

async function startDatabase(
  env: Environment,
  directory: string,
  parts: Part[],
  onProgress: OnProgress,
): Promise<void> {
  if (env['DATABASE_URL']) return;
  onProgress('Starting Postgres');
  const postgres = await startPostgres({ directory: join(directory, 'postgres'), onProgress });
  parts.unshift(postgres);
  await postgres.createDatabase('pos_integrations');
  env['DATABASE_URL'] = postgres.url('pos_integrations');
}

async function startTemporalServer(
  env: Environment,
  { directory, temporalPort, temporalUiPort }: ReturnType<typeof readStartSettings>,
  parts: Part[],
  onProgress: OnProgress,
): Promise<void> {
  if (env['TEMPORAL_ADDRESS']) return;
  const temporal = await startTemporal({
    binary: await findTemporalBinary(onProgress),
    directory: join(directory, 'temporal'),
    port: temporalPort,
    uiPort: temporalUiPort,
    onProgress,
  });
  parts.unshift(temporal);
  env['TEMPORAL_ADDRESS'] = temporal.address;
  env['TEMPORAL_UI_URL'] ||= temporal.uiUrl ?? undefined;
}

/** What `npm start` gives where nothing is given: this machine only, and the sandbox on loopback may be called. */
async function configure(env: Environment, demo: DemoSecrets, directory: string): Promise<Config> {
  const ours: Environment = {
    ...env,
    HOST: '127.0.0.1',
    ENCRYPTION_KEY: env['ENCRYPTION_KEY'] || demo.encryptionKey,
    WEBHOOK_ALLOW_HTTP: env['WEBHOOK_ALLOW_HTTP'] || 'true',
    OUTBOUND_ALLOW_CIDRS: env['OUTBOUND_ALLOW_CIDRS'] || '127.0.0.0/8',
  };
  const config = loadConfig(ours);
  const temporal = Object.entries(ours).filter(([name]) => name.startsWith('TEMPORAL_'));
  const { DATABASE_URL, ENCRYPTION_KEY, OUTBOUND_ALLOW_CIDRS } = ours;
  await keepEnvironment(directory, {
    ...Object.fromEntries(temporal),
    DATABASE_URL,
    ENCRYPTION_KEY,
    OUTBOUND_ALLOW_CIDRS,
  });
  return config;
}

async function prepareDatabase(
  config: Config,
  demo: DemoSecrets,
  token: string,
  sandboxUrl: string,
): Promise<void> {
  const sql = connect(config.DATABASE_URL, { max: 2, statementTimeoutMs: 0 });
  try {
    await migrate(sql);
    const secrets = createConfiguredSecretBox(config);
    await prepareDemoData({ sql, secrets, demo, token, sandboxUrl });
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/** Resolves when the worker polls: the printed curl must not be the first thing that waits. */
async function startWorker(
  config: Config,
  log: ReturnType<typeof createLog>,
  parts: Part[],
  metrics: Metrics,
): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    runWorker({ config, log, metrics, onReady: resolve }).then(
      (worker) => parts.push(worker),
      reject,
    );
  });
}

inBackground(main(), (error) => {
  process.stderr.write(`${String(error)}\n`);
  process.exit(1);
});
