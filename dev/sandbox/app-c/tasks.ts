import type { Fault, FaultKind, FaultMode } from '../fault';
import { longId } from './long-id';
import type { Json } from './menu-checks';
import {
  operationsOf,
  refusedOperations,
  taskReport,
  type TaskFacts,
  type TaskStatus,
} from './task-report';
import { refusedGroups, type TaskRefusal, taskRefusals } from './task-rules';

export const TASK_FAULTS: ReadonlySet<FaultKind> = new Set<FaultKind>([
  'task_stuck',
  'task_wait_retry',
  'task_failed',
  'task_partial',
  'task_success_refused',
]);

/** One menu on its way into the shop. */
export interface Task extends TaskFacts {
  status: TaskStatus;
  /** How its callback goes wrong. */
  readonly callbackMode?: FaultMode | undefined;
  /** Where it ends. */
  end: 1 | 2 | 5 | 'never';
  /** A fault has decided that. */
  isDecided: boolean;
  refused: ReadonlySet<string>;
  /** Why the menu makes the task fail. */
  readonly refusals: readonly TaskRefusal[];
  /** The refusals stand nowhere but in the last operation's text. */
  isQuiet: boolean;
  /** Gone when the task has ended: a benchmark makes thousands. */
  menu: Json | undefined;
  operations: string;
}

export interface TasksOptions {
  /** How deep modifier groups may nest. */
  readonly levels: number;
  readonly clock: () => number;
  readonly newId: (prefix: string) => string;
  /** The next fault for a step without a fault of its own. */
  readonly takeFault: (task: Task) => Fault | undefined;
  /** Called once, when a task has reached its end. */
  readonly onEnd: (task: Task, menu: Json) => void;
}

export interface Tasks {
  start(shopId: string, menu: Json, callbackMode?: FaultMode): Task;
  find(id: string | null): Task | undefined;
  /**
   * Whether the task's next step meets one of the faults of tasks. It may have to try again and again, but its end is
   * decided once, before it runs: a fault that comes later is for the next upload.
   */
  meets(task: Task, fault: Fault): boolean;
  /** Advances by one step: 0 waiting, 4 running, then the end. An ended task stays as it is. */
  step(task: Task, fault?: Fault): void;
}

/** Enough for everyone who still polls; the report of a large menu is half a megabyte. */
const MAX_ENDED = 1_000;

export function createTasks(options: TasksOptions): Tasks {
  const tasks = new Map<string, Task>();
  const ended: string[] = [];

  function start(shopId: string, menu: Json, callbackMode?: FaultMode): Task {
    const refusals = taskRefusals(menu, options.levels);
    const task: Task = {
      id: longId(options.newId('task')),
      shopId,
      createTime: Math.floor(options.clock() / 1000),
      status: 0,
      callbackMode,
      end: refusals.length > 0 ? 2 : 1,
      isDecided: false,
      refusals,
      refused: new Set(),
      isQuiet: false,
      menu,
      operations: '[]',
    };
    tasks.set(task.id, task);
    return task;
  }

  function step(task: Task, given?: Fault): void {
    if (!task.menu) return;
    const fault = given ?? options.takeFault(task);
    if (fault && fault.kind !== 'task_wait_retry') decideEnd(task, fault);
    if (fault?.kind === 'task_wait_retry') task.status = 3;
    else if (task.status === 0 || task.end === 'never') task.status = 4;
    else end(task, task.menu, task.end);
  }

  function end(task: Task, menu: Json, status: 1 | 2 | 5): void {
    task.status = status;
    task.operations =
      status === 2
        ? refusedOperations(task.refusals)
        : operationsOf(menu, task.refused, task.isQuiet, refusedGroups(menu));
    task.menu = undefined;
    ended.push(task.id);
    const oldest = ended.length > MAX_ENDED ? ended.shift() : undefined;
    if (oldest !== undefined) tasks.delete(oldest);
    options.onEnd(task, menu);
  }

  function meets({ menu, status, isDecided }: Task, { kind }: Fault): boolean {
    if (!menu || !TASK_FAULTS.has(kind)) return false;
    return kind === 'task_wait_retry' || (!isDecided && (status === 0 || status === 3));
  }

  return { start, step, meets, find: (id) => (id === null ? undefined : tasks.get(id)) };
}

function decideEnd(task: Task, fault: Fault): void {
  task.isDecided = true;
  if (fault.kind === 'task_stuck') task.end = 'never';
  if (fault.kind === 'task_failed') task.end = 2;
  if (fault.kind === 'task_partial') {
    task.end = 5;
    task.refused = new Set(fault.ids);
  }
  if (fault.kind === 'task_success_refused') {
    task.refused = new Set(fault.ids);
    task.isQuiet = true;
  }
}

/** The task as reported by the poll and the callback: JSON text. */
export function reportOf(task: Task): string {
  return taskReport(task, task.operations);
}
