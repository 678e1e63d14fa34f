import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseDuration } from '../../src/platform/config/durations';
import { type ComposeService, isOneShot } from './compose-file';

/** A service as a process of this machine; `placement` provides what a container would have. */
export interface Placement {
  /** Replaces what only exists between containers: names of hosts, ports, files of configs. */
  readonly relocate: (text: string) => string;
  /** Variables over those of the service, such as a port that is free here. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Arguments over those of the command, such as a folder that the image has. */
  readonly args?: readonly string[];
  /** The image's command, if the file has none. */
  readonly imageCommand?: readonly string[];
  /** Where its programs are. */
  readonly path: string;
  readonly directory: string;
  readonly uid?: number | undefined;
}

export interface PlayedService {
  readonly name: string;
  /** How often it was started. */
  starts(): number;
  /** Runs its health check once. */
  isHealthy(): Promise<boolean>;
  /** By SIGKILL, with all its processes; it is started again, as `restart` says. */
  kill(): void;
  /** By its stop signal; how long that took, ms. Rejects when it had to be killed. */
  stop(): Promise<number>;
}

/** Runs a one-shot service until it ends well, as often as its `restart` allows; rejects with its last words. */
export async function playOneShot(
  name: string,
  service: ComposeService,
  placement: Placement,
  logs: string,
): Promise<void> {
  const tries = Number(service.restart.split(':')[1] ?? 1);
  for (let left = tries; left > 0; left -= 1) {
    const child = startProcess(name, service, placement, logs);
    const [code] = (await once(child, 'exit')) as [number | null];
    if (code === 0) return;
    await sleep(1_000);
  }
  throw new Error(`${name} failed ${tries} times:\n${lastWords(logs, name)}`);
}

/** Starts a service and starts it again whenever it ends by itself. */
export function playService(
  name: string,
  service: ComposeService,
  placement: Placement,
  logs: string,
): PlayedService {
  if (isOneShot(service)) throw new Error(`${name} ends by itself`);
  let starts = 0;
  let stopping = false;
  let child: ChildProcess;
  const start = (): void => {
    starts += 1;
    child = startProcess(name, service, placement, logs);
    // The engine waits a little too.
    child.once('exit', () => {
      if (!stopping) setTimeout(() => stopping || start(), 200);
    });
  };
  start();
  return {
    name,
    starts: () => starts,
    isHealthy: () => runHealthCheck(service, placement),
    kill: () => signalGroup(child, 'SIGKILL'),
    async stop() {
      stopping = true;
      const startedAt = performance.now();
      if (hasEnded(child)) return 0;
      const ended = once(child, 'exit');
      child.kill(service.stop_signal ?? 'SIGTERM');
      const patienceMs = parseDuration(service.stop_grace_period ?? '10s');
      const timer = setTimeout(() => signalGroup(child, 'SIGKILL'), patienceMs);
      const [, signal] = (await ended) as [number | null, string | null];
      clearTimeout(timer);
      signalGroup(child, 'SIGKILL');
      if (signal === 'SIGKILL') throw new Error(`${name} did not stop in time`);
      return performance.now() - startedAt;
    },
  };
}

function startProcess(
  name: string,
  { entrypoint = [], command, environment = {} }: ComposeService,
  placement: Placement,
  logs: string,
): ChildProcess {
  const words = [...entrypoint, ...(command ?? placement.imageCommand ?? [])];
  const [program = '', ...args] = words.map(placement.relocate);
  const log = openSync(join(logs, `${name}.log`), 'a', 0o600);
  const { uid } = placement;
  const child = spawn(program, [...args, ...(placement.args ?? [])], {
    cwd: placement.directory,
    env: { ...environmentOf(environment, placement), ...placement.environment },
    // A separate group, so that its children end with it, as in a container.
    detached: true,
    stdio: ['ignore', log, log],
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
  closeSync(log);
  child.on('error', () => {});
  return child;
}

/** Nothing of this machine's own environment, as in a container. */
function environmentOf(
  environment: Readonly<Record<string, string>>,
  { relocate, path }: Placement,
): Record<string, string> {
  const relocated = Object.entries(environment).map(([key, value]) => [key, relocate(value)]);
  return { PATH: path, LC_ALL: 'C', ...Object.fromEntries(relocated) };
}

async function runHealthCheck(
  { healthcheck, environment = {} }: ComposeService,
  placement: Placement,
): Promise<boolean> {
  const [kind, program = '', ...args] = (healthcheck?.test ?? []).map(placement.relocate);
  if (kind !== 'CMD') throw new Error('the health check is not a CMD');
  // Busybox has it; a machine without containers may not.
  if (program === 'nc') return canConnect(args.at(-2) ?? '', Number(args.at(-1)));
  const child = spawn(program, args, {
    env: { ...environmentOf(environment, placement), ...placement.environment },
    stdio: 'ignore',
    timeout: 5_000,
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code === 0;
}

function canConnect(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 3_000 });
    const settle = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('connect', () => settle(true));
    socket.once('error', () => settle(false));
    socket.once('timeout', () => settle(false));
  });
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch {
    // It has ended.
  }
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

export function lastWords(logs: string, name: string): string {
  return readFileSync(join(logs, `${name}.log`), 'utf8')
    .trim()
    .split('\n')
    .slice(-12)
    .join('\n');
}
