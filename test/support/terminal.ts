import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { ROOT } from './documents';
import { until } from './until';

/** Runs a command on a pseudo terminal of its own; what it is written it passes on as keys. */
const TERMINAL =
  'import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))';

export const hasTerminal = spawnSync('python3', ['-c', 'import pty']).status === 0;

export interface Program {
  /** What it wrote to standard output; on a terminal, everything. */
  readonly out: () => string;
  readonly err: () => string;
  /** Waits until it has written this. */
  said(words: string): Promise<void>;
  press(keys: string): void;
  /** As the reader of a pipe that has read enough. */
  closeOutput(): void;
  interrupt(): void;
  /** Resolves to its status. */
  readonly ended: Promise<number | null>;
}

/** Starts a command in the project, its output in a pipe. */
export function startInPipe(
  [command = '', ...args]: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Program {
  return observe(spawn(command, args, { cwd: ROOT, env: { ...process.env, ...env } }));
}

/** Starts a command in the project, on a terminal. */
export function startOnTerminal(
  command: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Program {
  return startInPipe(['python3', '-c', TERMINAL, ...command], env);
}

function observe(child: ChildProcessWithoutNullStreams): Program {
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk) => (out += chunk));
  child.stderr.on('data', (chunk) => (err += chunk));
  const ended = once(child, 'close').then(() => child.exitCode);
  return {
    out: () => out,
    err: () => err,
    async said(words) {
      await until(() => out.includes(words) || child.exitCode !== null);
      if (!out.includes(words)) throw new Error(`it ended with ${child.exitCode}:\n${out}\n${err}`);
    },
    press: (keys) => child.stdin.write(keys),
    closeOutput: () => child.stdout.destroy(),
    interrupt: () => child.kill('SIGINT'),
    ended,
  };
}
