import type { MortalServer } from '../own-servers';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** Something that runs and can be struck; one blow at a time. */
export interface Part {
  readonly name: string;
  /** Ends it by SIGKILL and starts it again `afterMs` later. */
  kill(afterMs: number): Promise<void>;
  /** Freezes it, and continues it after `ms`. */
  freeze(ms: number): Promise<void>;
}

/** A process of ours, which is started again whenever it has ended. */
export interface SupervisedPart extends Part {
  /** Stops it in order, waits for that, and starts it again: a deployment. */
  restart(): Promise<void>;
  /** Ends that were not requested, or failed, with their last output. */
  readonly endedByItself: readonly string[];
  stop(): Promise<void>;
}

export interface ProcessPlan {
  readonly name: string;
  readonly role: 'api' | 'worker';
  /** Of the compiled sources. */
  readonly built: string;
  readonly env: Readonly<Record<string, string>>;
  /** Both output streams of all its lives. */
  readonly logFile: string;
}

/** How long a supervisor waits before it restarts a crashed process, ms. */
const RESTART_MS = 500;

/** What `docker-compose.yml` gives them to stop in order, ms; then they are killed. */
const STOP_WITHIN_MS = { api: 20_000, worker: 30_000 } as const;

export function startProcessPart(plan: ProcessPlan): SupervisedPart {
  const endedByItself: string[] = [];
  let isStopping = false;
  let restartMs: number | undefined;
  let isToldToStop = false;
  let child = launch();

  function launch(): ChildProcess {
    const log = openSync(plan.logFile, 'a');
    const born = fork(join(__dirname, '..', 'child-chaos-part.ts'), [plan.role, plan.built], {
      execArgv: ['--import', 'tsx'],
      env: { ...process.env, NODE_ENV: 'production', ...plan.env },
      stdio: ['ignore', log, log, 'ipc'],
    });
    closeSync(log);
    born.once('exit', (code, signal) => {
      if (isStopping) return;
      // SIGTERM ends it at once while it starts: there is nothing to stop in order yet.
      const isAsTold = code === 0 || signal === 'SIGTERM';
      if (restartMs === undefined || (isToldToStop && !isAsTold)) {
        endedByItself.push(`${plan.name}: ${signal ?? `exit code ${code}`}; ${lastWords()}`);
      }
      setTimeout(() => {
        if (!isStopping) child = launch();
      }, restartMs ?? RESTART_MS);
      restartMs = undefined;
      isToldToStop = false;
    });
    return born;
  }

  function lastWords(): string {
    return readFileSync(plan.logFile, 'utf8')
      .trim()
      .split('\n')
      .slice(-3)
      .join(' ⏎ ')
      .slice(-1_500);
  }

  return {
    name: plan.name,
    endedByItself,
    async kill(afterMs) {
      if (hasEnded(child)) return;
      restartMs = afterMs;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
      await delay(afterMs);
    },
    async restart() {
      if (hasEnded(child)) return;
      [restartMs, isToldToStop] = [0, true];
      const told = child;
      const ended = once(told, 'exit');
      told.kill('SIGTERM');
      const force = setTimeout(() => told.kill('SIGKILL'), STOP_WITHIN_MS[plan.role]);
      await ended;
      clearTimeout(force);
    },
    async freeze(ms) {
      const frozen = child;
      frozen.kill('SIGSTOP');
      await delay(ms);
      frozen.kill('SIGCONT');
    },
    async stop() {
      isStopping = true;
      if (hasEnded(child)) return;
      const ended = once(child, 'exit');
      child.kill('SIGCONT');
      child.kill('SIGTERM');
      const force = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MS[plan.role]);
      await ended;
      clearTimeout(force);
    },
  };
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

/** Postgres or Temporal: on the same port with the same data after each blow. */
export function serverPart(name: string, server: MortalServer): Part {
  return {
    name,
    async kill(afterMs) {
      await server.kill();
      await delay(afterMs);
      await server.start();
    },
    async freeze(ms) {
      server.freeze();
      await delay(ms);
      server.thaw();
    },
  };
}
