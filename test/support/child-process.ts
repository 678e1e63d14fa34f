import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Checkpoint } from '../../src/platform/checkpoint';
import type { UploadTiming } from '../../src/uploads/upload-retries';

/** What a child must run, and where it must stop. */
export interface ChildPlan {
  readonly role: 'api' | 'worker';
  readonly env: Readonly<Record<string, string>>;
  /** Stops the process at the first checkpoint in the list; then the second one counts, and so on. */
  readonly stopAt?: readonly Checkpoint[];
  readonly timing?: Partial<UploadTiming>;
}

export type ChildMessage =
  | { readonly kind: 'ready'; readonly url: string }
  | { readonly kind: 'reached'; readonly checkpoint: Checkpoint };
export type ParentMessage =
  | { readonly kind: 'plan'; readonly plan: ChildPlan }
  | { readonly kind: 'go' }
  | { readonly kind: 'stop' };

/** An API or a worker in its own process, so that it can be killed. */
export interface Child {
  /** Of an API; empty for a worker. */
  readonly url: string;
  /** Resolves when a caller has reached the n-th (1-based) of the plan's checkpoints. */
  reached(n: number): Promise<void>;
  /** Releases all callers at checkpoints. */
  go(): void;
  /** Stops it in order, like SIGTERM; callers at a checkpoint stay there. */
  stop(): void;
  kill(signal: NodeJS.Signals): void;
  /** Resolves with what ended it. */
  readonly ended: Promise<NodeJS.Signals | number | null>;
}

/** Starts a child and waits until it listens, or polls. */
export async function startChild(plan: ChildPlan): Promise<Child> {
  const child = fork(join(__dirname, 'child-main.ts'), {
    execArgv: ['--require', join(__dirname, 'child-typescript.cjs')],
    // Under Jest the default would ignore what a test has set.
    env: process.env,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const send = (message: ParentMessage): void => void child.send(message);
  const told: ChildMessage[] = [];
  child.on('message', (message: ChildMessage) => told.push(message));
  const ended = once(child, 'exit').then(([code, signal]) => signal ?? code);
  const hear = async (kind: ChildMessage['kind'], count: number): Promise<void> => {
    while (told.filter((message) => message.kind === kind).length < count) {
      const first = await Promise.race([once(child, 'message'), ended]);
      if (!Array.isArray(first)) throw new Error(`the ${plan.role} ended before that: ${first}`);
    }
  };
  send({ kind: 'plan', plan });
  await hear('ready', 1);
  const [ready] = told;
  return {
    url: ready?.kind === 'ready' ? ready.url : '',
    reached: (n) => hear('reached', n),
    go: () => send({ kind: 'go' }),
    stop: () => send({ kind: 'stop' }),
    kill: (signal) => void child.kill(signal),
    ended,
  };
}
