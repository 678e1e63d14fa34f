import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Config, loadConfig } from '../../src/platform/config/config';
import { createConfiguredSecretBox } from '../../src/run/configured-secrets';
import { connect } from '../../src/platform/db/client';
import { postgresSentence } from '../../src/platform/db/postgres-sentence';
import { migrate } from '../../src/platform/db/migrate';
import { createLog } from '../../src/platform/observe/log';
import type { Metrics } from '../../src/metrics/types';
import { runApi } from '../../src/run/run-api';
import { runWorker } from '../../src/run/run-worker';
import { prepareDemoData } from '../demo/demo-data';
import { type DemoSecrets, loadDemoSecrets } from '../demo/demo-secrets';
import { startPostgres } from '../postgres/embedded-postgres';
import { requireNoOwner } from '../processes/directory-owner';
import { keepEnvironment } from './environment';
import { requireFreePort } from '../processes/free-port';
import { createProgressLine, type OnProgress } from '../processes/progress';
import { resetState } from './reset-state';
import {
  readStartOptions,
  readStartSettings,
  START_HELP,
  type StartSettings,
} from './start-settings';
import { startDemoSandbox } from '../demo/demo-sandbox';
import { findTemporalBinary } from '../temporal/temporal-binary';
import { startTemporal } from '../temporal/temporal-server';
import { createWelcome, TO_STOP } from './welcome';
import { inBackground } from '../../src/platform/in-background';
import { dropWhenReaderIsGone } from '../../src/platform/observe/broken-pipe';
import { catchUnownedRejections } from '../../src/platform/observe/unowned-rejections';
import { stopOnSignals } from '../../src/run/stop-on-signals';
import { stopServerProcesses } from '../processes/server-process';

type Environment = Record<string, string | undefined>;

interface Part {
  stop(): Promise<void>;
}

interface ServerOptions {
  readonly parts: Part[];
  readonly onProgress: OnProgress;
  /** A server has ended that nobody stopped. */
  readonly onLost: (words: string) => void;
}

/** Starts each part as soon as what it needs is there, and stops them in the opposite order. */
async function main(): Promise<void> {
  dropWhenReaderIsGone(process.stdout, process.stderr);
  const progress = createProgressLine(process.stderr);
  const parts: Part[] = [];
  const stopAll = async (): Promise<void> => {
    for (const part of parts.splice(0).toReversed()) await part.stop();
  };
  let isStopping = false;
  stopOnSignals({
    signals: ['SIGINT', 'SIGTERM', 'SIGHUP'],
    async stop() {
      isStopping = true;
      if (parts.length > 0) process.stdout.write('\nStopping …\n');
      await stopAll();
      // Those that were still starting.
      await stopServerProcesses();
    },
    onFailure: (error) => process.stderr.write(`${String(error)}\n`),
  });
  /** Other parts may still be starting: they end with the process, as after Ctrl-C. */
  const fail = (words: string): void => {
    // What was still being started fails because of the stop.
    if (isStopping) return;
    progress.clear();
    process.stderr.write(`${words}\n`);
    process.exitCode = 1;
    // Exits also if the stop fails; the parts have said why.
    inBackground(
      stopAll()
        .then(stopServerProcesses)
        .finally(() => process.exit()),
      () => {},
    );
  };
  const onLost = (words: string) => fail(`${words}\nnpm start cannot go on without it. Stopping …`);
  const servers: ServerOptions = { parts, onProgress: progress.report, onLost };
  try {
    const options = readStartOptions(process.argv.slice(2));
    if (options.help) return void process.stdout.write(START_HELP);
    const env: Environment = { ...process.env };
    const settings = readStartSettings(env);
    await requirePossible(env, settings);
    if (options.reset) {
      process.stdout.write(`Removing the state in ${settings.directory} …\n`);
      await resetState(settings.directory);
    }
    await mkdir(settings.directory, { recursive: true });
    const demo = await loadDemoSecrets(settings.directory);
    // What needs Temporal waits for it; nothing else does.
    const temporal = startTemporalServer(env, settings, servers);
    await Promise.all([temporal, startService({ env, settings, demo, temporal }, servers)]);
    const seconds = Math.round(process.uptime());
    progress.clear();
    process.stdout.write(`\nEverything runs, after ${seconds} s. ${TO_STOP}\n`);
  } catch (error) {
    const own = error instanceof Error ? error.message : String(error);
    fail(postgresSentence(error, process.env['DATABASE_URL'] ?? '') ?? own);
  }
}

interface ServiceOptions {
  readonly env: Environment;
  readonly settings: StartSettings;
  readonly demo: DemoSecrets;
  /** Settles when Temporal takes workflows. */
  readonly temporal: Promise<unknown>;
}

/**
 * Postgres, the sandbox, the API and the worker. The addresses are printed as soon as they answer, which is before
 * Temporal is there on a machine that has to get it first; resolves when the worker polls it.
 */
async function startService(
  { env, settings, demo, temporal }: ServiceOptions,
  servers: ServerOptions,
): Promise<void> {
  const { parts, onProgress } = servers;
  await startDatabase(env, settings.directory, servers);
  const config = await configure(env, demo, settings);
  const token = settings.demoToken ?? demo.demoToken;
  const sandbox = await startDemoSandbox(settings.sandboxPort, demo, config);
  parts.push({ stop: () => sandbox.close() });
  await prepareDatabase(config, demo, token, sandbox.url);

  const log = createLog(env['LOG_LEVEL'] || QUIET);
  catchUnownedRejections(log);
  const api = await runApi({ config, log });
  const service: Part[] = [api];
  // Both at once: the API answers waiting callers 202 while the worker finishes its work.
  parts.push({
    async stop() {
      // A worker that is still starting meets servers that are gone, which is no news.
      if (service.length === 1) log.level = 'silent';
      await Promise.all(service.map((part) => part.stop()));
    },
  });
  onProgress('');
  process.stdout.write(createWelcome({ config, token, sandboxUrl: sandbox.url, ...settings }));
  const polls = startWorker(config, log, service, api.metrics);
  await Promise.all([
    polls,
    temporal.then(() => {
      log.level = env['LOG_LEVEL'] || 'warn';
    }),
  ]);
}

/** Until Temporal is there: that it is not, everybody reads above already. */
const QUIET = 'error';

/** Says what would fail before anything is started, or thrown away. */
async function requirePossible(
  env: Environment,
  { directory, sandboxPort }: StartSettings,
): Promise<void> {
  const { PORT, METRICS_PORT } = loadConfig({
    ...defaultsOf(env),
    // Made by the start itself where they are not given.
    ENCRYPTION_KEY: env['ENCRYPTION_KEY'] || Buffer.alloc(32).toString('base64'),
    DATABASE_URL: env['DATABASE_URL'] || 'postgres://127.0.0.1/later',
  });
  for (const part of ['postgres', 'temporal']) await requireNoOwner(join(directory, part));
  await requireFreePort(PORT, 'PORT');
  await requireFreePort(METRICS_PORT, 'METRICS_PORT');
  await requireFreePort(sandboxPort, 'SANDBOX_PORT');
}

async function startDatabase(
  env: Environment,
  directory: string,
  { parts, onProgress, onLost }: ServerOptions,
): Promise<void> {
  if (env['DATABASE_URL']) return;
  onProgress('Starting Postgres');
  const postgres = await startPostgres({
    directory: join(directory, 'postgres'),
    onProgress,
    onLost,
  });
  parts.unshift(postgres);
  await postgres.createDatabase('pos_integrations');
  env['DATABASE_URL'] = postgres.url('pos_integrations');
}

async function startTemporalServer(
  env: Environment,
  { directory, temporalPort, temporalUiPort }: StartSettings,
  { parts, onProgress, onLost }: ServerOptions,
): Promise<void> {
  if (env['TEMPORAL_ADDRESS']) return;
  const temporal = await startTemporal({
    binary: await findTemporalBinary(onProgress),
    directory: join(directory, 'temporal'),
    port: temporalPort,
    uiPort: temporalUiPort,
    onProgress,
    onLost,
  });
  parts.unshift(temporal);
}

/**
 * What `npm start` gives where nothing is given: this machine only, and the sandbox on loopback may be called. Its
 * App C ends a menu within a second or two, so a lost answer keeps the next menu waiting for no longer than a caller
 * waits.
 */
function defaultsOf(env: Environment): Environment {
  return {
    ...env,
    HOST: '127.0.0.1',
    WEBHOOK_ALLOW_HTTP: env['WEBHOOK_ALLOW_HTTP'] || 'true',
    OUTBOUND_ALLOW_CIDRS: env['OUTBOUND_ALLOW_CIDRS'] || '127.0.0.0/8',
    APP_C_SETTLE: env['APP_C_SETTLE'] || '10s',
    PUBLIC_URL: env['PUBLIC_URL'] || `http://127.0.0.1:${env['PORT'] || '3000'}`,
  };
}

/** The settings of the parts, kept for the admin command. */
async function configure(
  env: Environment,
  demo: DemoSecrets,
  { directory, temporalPort, temporalUiPort }: StartSettings,
): Promise<Config> {
  const ours: Environment = {
    ...defaultsOf(env),
    ENCRYPTION_KEY: env['ENCRYPTION_KEY'] || demo.encryptionKey,
    ...(env['TEMPORAL_ADDRESS']
      ? {}
      : {
          TEMPORAL_ADDRESS: `127.0.0.1:${temporalPort}`,
          TEMPORAL_UI_URL: env['TEMPORAL_UI_URL'] || `http://127.0.0.1:${temporalUiPort}`,
        }),
  };
  const config = loadConfig(ours);
  const temporal = Object.entries(ours).filter(([name]) => name.startsWith('TEMPORAL_'));
  const { DATABASE_URL, ENCRYPTION_KEY, OUTBOUND_ALLOW_CIDRS, PUBLIC_URL } = ours;
  await keepEnvironment(directory, {
    ...Object.fromEntries(temporal),
    DATABASE_URL,
    ENCRYPTION_KEY,
    OUTBOUND_ALLOW_CIDRS,
    PUBLIC_URL,
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
