import { SEARCH_ATTRIBUTES } from '../../src/platform/temporal/workflow-names';

/**
 * The flags of the dev server beyond its defaults, with their reasons. Your own cluster needs the first two too, per
 * shard that a process owns.
 */
export const DYNAMIC_CONFIG = {
  // The default is 20 polls a second for each shard, and the dev server has one shard: every workflow task and every
  // activity would wait for a tick of 50 ms. A workflow with three activities went from 200 to 75 ms.
  'history.transferProcessorMaxPollRPS': 5_000,
  'history.timerProcessorMaxPollRPS': 5_000,
  // Off by default before server 1.32: an activity starts with the answer to the workflow task that scheduled it.
  'system.enableActivityEagerExecution': true,
  // One process needs no partitions, and tasks forwarded between them lose milliseconds.
  'matching.numTaskqueueReadPartitions': 1,
  'matching.numTaskqueueWritePartitions': 1,
  // The list of runs is brought up to date once a second, not twenty times: a run that has ended by then, as most
  // uploads have, costs one write there and not two. An upload took 28 ms of this server's CPU, and takes 22.
  'history.visibilityProcessorMaxPollRPS': 1,
  // Entries a look; with the default of 100 the list would fall behind above a hundred a second.
  'history.visibilityTaskBatchSize': 1_000,
  // The dev server reads the search attributes from its database at each of these writes; ours are there at its start.
  'system.forceSearchAttributesCacheRefreshOnRead': false,
  // Otherwise a benchmark would measure the limits of a shared cluster.
  'frontend.namespaceRPS': 20_000,
  'frontend.rps': 20_000,
} as const;

export interface DevServerSetting {
  /** Where the state is kept; undefined for in memory. */
  readonly databaseFile: string | undefined;
  readonly port: number;
  /** Undefined for no web interface. */
  readonly uiPort: number | undefined;
  /** Beside `default`. */
  readonly namespaces?: readonly string[];
  /** Dynamic config over ours. */
  readonly settings?: Readonly<Record<string, number | boolean>>;
}

/** The arguments of `temporal`; `help` says what this version understands, and unknown ones are left out. */
export function devServerArgs(setting: DevServerSetting, help: string): string[] {
  const args = ['server', 'start-dev', '--ip', '127.0.0.1', '--port', String(setting.port)];
  if (setting.uiPort === undefined) args.push('--headless');
  else args.push('--ui-port', String(setting.uiPort));
  if (setting.databaseFile !== undefined) {
    args.push('--db-filename', setting.databaseFile);
    // Survives a kill of the process; a power cut may cost the last seconds, which Postgres knows and repeats.
    args.push('--sqlite-pragma', 'journal_mode=wal', '--sqlite-pragma', 'synchronous=1');
  }
  for (const namespace of setting.namespaces ?? []) args.push('--namespace', namespace);
  for (const [name, value] of Object.entries({ ...DYNAMIC_CONFIG, ...setting.settings })) {
    args.push('--dynamic-config-value', `${name}=${JSON.stringify(value)}`);
  }
  for (const name of Object.values(SEARCH_ATTRIBUTES)) {
    args.push('--search-attribute', `${name}=Keyword`);
  }
  for (const flag of ['--ui-disable-news-fetch', '--disable-config-file', '--disable-config-env']) {
    if (help.includes(flag)) args.push(flag);
  }
  return args;
}
