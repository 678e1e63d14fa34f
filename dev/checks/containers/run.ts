import { spawn } from 'node:child_process';

export interface Ran {
  readonly status: number | null;
  readonly stdout: string;
  /** Both, in the order of their arrival. */
  readonly output: string;
}

export interface RunOptions {
  readonly cwd?: string;
  /** Besides this process' own. */
  readonly env?: Readonly<Record<string, string>>;
  /** After that it is killed; default 10 min. */
  readonly timeoutMs?: number;
  readonly input?: string;
}

/** Runs a program to its end, whatever that is; a program that does not exist ends with null. */
export function tryRun(
  program: string,
  args: readonly string[],
  { cwd, env = {}, timeoutMs = 600_000, input = '' }: RunOptions = {},
): Promise<Ran> {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      ...(cwd !== undefined && { cwd }),
      env: { ...process.env, ...env },
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
    });
    let stdout = '';
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
      output += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.stdin.on('error', () => {}).end(input);
    child.once('error', (error) => resolve({ status: null, stdout, output: error.message }));
    child.once('close', (status) => resolve({ status, stdout, output }));
  });
}

/** What a program printed to its standard output, trimmed; rejects with its last words unless it ends well. */
export async function run(
  program: string,
  args: readonly string[],
  options: RunOptions = {},
): Promise<string> {
  const { status, stdout, output } = await tryRun(program, args, options);
  if (status === 0) return stdout.trim();
  const command = [program, ...args].join(' ').slice(0, 200);
  throw new Error(
    `${command}: ${String(status)}\n${output.trim().split('\n').slice(-25).join('\n')}`,
  );
}
