import { setTimeout as wait } from 'node:timers/promises';
import type { AppEnv } from '../app-simulator';
import type { Fault } from '../fault';
import type { Json } from './menu-checks';
import { shownMenu } from './show-menu';
import { createTasks, type Task, TASK_FAULTS } from './tasks';
import { inBackground } from '../../../src/platform/in-background';

export interface TaskRunnerOptions {
  /** How deep modifier groups may nest. */
  readonly levels: number;
  /** ms between the steps of a task; absent = a step with each poll. */
  readonly stepMs?: number | undefined;
  /** Sends the callback about a task that has ended. Never rejects. */
  readonly tellEnd: (task: Task) => Promise<void>;
}

/** Advances tasks, puts their menus into the shops, and has their ends reported. */
export interface TaskRunner {
  /** `fault` is that of the upload. With an early callback the task has ended when this resolves. */
  start(shopId: string, menu: Json, fault: Fault | undefined): Promise<Task>;
  /** The task for a poll of its shop; a step further where polls are what moves it. */
  poll(id: string | null, shopId: string, fault: Fault | undefined): Task | undefined;
  /** Whether a question about the task meets a fault. */
  meets(id: string | null, fault: Fault): boolean;
}

export function createTaskRunner(options: TaskRunnerOptions, env: AppEnv): TaskRunner {
  const { stepMs, tellEnd } = options;
  /** Tasks that will say that they succeeded while their shops go on showing the old menu. */
  const idle = new WeakSet<Task>();
  const tasks = createTasks({
    levels: options.levels,
    clock: env.clock,
    newId: env.newId,
    takeFault: (task) => env.faults.take('poll', task.shopId, (each) => tasks.meets(task, each)),
    onEnd(task, menu) {
      if (task.status !== 2 && !idle.has(task)) {
        env.menus.keep(task.shopId, shownMenu(menu, task.refused));
      }
      if (task.callbackMode !== 'early') inBackground(tellEnd(task), () => {});
    },
  });

  return {
    meets(id, fault) {
      const task = tasks.find(id);
      return !TASK_FAULTS.has(fault.kind) || (task !== undefined && tasks.meets(task, fault));
    },
    async start(shopId, menu, fault) {
      const mode = fault?.kind === 'webhook' ? fault.mode : undefined;
      const task = tasks.start(shopId, menu, mode);
      if (fault?.kind === 'ok_but_old') idle.add(task);
      if (mode === 'early') await endAtOnce(task);
      else if (stepMs !== undefined) inBackground(stepByTimer(task, stepMs), () => {});
      return task;
    },
    poll(id, shopId, fault) {
      const task = tasks.find(id);
      if (task?.shopId !== shopId) return undefined;
      const own = fault && TASK_FAULTS.has(fault.kind) ? fault : undefined;
      if (own || stepMs === undefined) tasks.step(task, own);
      return task;
    },
  };

  async function endAtOnce(task: Task): Promise<void> {
    // Limited, because it may be told to retry for ever.
    for (let steps = 0; isAtWork(task) && steps < 100; steps += 1) tasks.step(task);
    if (!task.menu) await tellEnd(task);
  }

  async function stepByTimer(task: Task, ms: number): Promise<void> {
    const { signal } = env;
    while (isAtWork(task) && !signal.aborted) {
      await wait(ms, undefined, { signal, ref: false }).catch(() => undefined);
      if (!signal.aborted) tasks.step(task);
    }
  }
}

/** A task that never ends needs no steps; a task without menu has ended. */
function isAtWork(task: Task): boolean {
  return task.menu !== undefined && task.end !== 'never';
}
