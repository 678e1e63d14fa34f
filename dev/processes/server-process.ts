import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import type { StopStep } from './process-identity';

export interface ServerCommand {
  readonly binary: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** Both output streams go here; overwritten at each start. */
  readonly logFile: string;
  /** User and group to run as; ours when absent. */
  readonly uid?: number | undefined;
}

export interface ServerProcess {
  readonly pid: number;
  /** Undefined while it runs, then how it ended. */
  readonly ended: () => string | undefined;
  /** Calls back with how it ended when it ends, or has ended, without having been stopped. */
  readonly onLost: (call: (how: string) => void) => void;
  /** The last lines it wrote. */
  readonly lastWords: () => string;
  /** One signal after the other, until it has ended. */
  readonly stop: (steps: readonly StopStep[]) => Promise<void>;
}

/**
 * Starts a server in a process group of its own, so that Ctrl-C in the terminal reaches only us and things stop in
 * order. When we end without having stopped it, SIGINT is the last thing we do; after a SIGKILL of ours it stays, and
 * the next start finds it.
 */
export function startServerProcess(command: ServerCommand): ServerProcess {
  const log = openSync(command.logFile, 'w', 0o600);
  const child = spawn(command.binary, command.args, {
    ...(command.uid === undefined ? {} : { uid: command.uid, gid: command.uid }),
    cwd: '/', // ours may be closed to the other user
    env: command.env,
    detached: true,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  let ended: string | undefined;
  let isStopping = false;
  child.once('error', (error) => (ended ??= error.message));
  const interrupt = () => void child.kill('SIGINT');
  process.once('exit', interrupt);
  child.once('exit', (code, signal) => {
    ended ??= signal ?? `exit code ${code}`;
    process.removeListener('exit', interrupt);
  });
  const server: ServerProcess = {
    pid: child.pid ?? 0,
    ended: () => ended,
    onLost(call) {
      const tell = () => {
        if (!isStopping) call(ended ?? 'for no known reason');
      };
      if (ended === undefined) child.once('exit', tell);
      else tell();
    },
    lastWords: () => readFileSync(command.logFile, 'utf8').trim().split('\n').slice(-5).join('\n'),
    async stop(steps) {
      isStopping = true;
      for (const [signal, patienceMs] of steps) {
        if (ended !== undefined) return;
        child.kill(signal);
        await waitForExit(child, patienceMs);
      }
    },
  };
  running.add(server);
  child.once('exit', () => running.delete(server));
  return server;
}

const running = new Set<ServerProcess>();

/** Ends this process's servers that still run, and waits for them, including those that are still starting. */
export async function stopServerProcesses(): Promise<void> {
  const steps: readonly StopStep[] = [
    ['SIGINT', 10_000],
    ['SIGKILL', 5_000],
  ];
  await Promise.all([...running].map((server) => server.stop(steps)));
}

function waitForExit(child: ChildProcess, patienceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, patienceMs);
    child.once('exit', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
