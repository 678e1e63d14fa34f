import type { MenuReader, StoreStates } from './store-states';
import type { IncomingHttpHeaders } from 'node:http';
import type { Fault, FaultKind, FaultRoute } from './fault';
import type { FaultQueue } from './fault-queue';
import type { MenuLog } from './menu-log';
import type { SandboxEnv } from './sandbox-part';

/** One request to a simulated app, read and inflated. */
export interface AppCall {
  readonly route: FaultRoute;
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** The fault that was taken from the queue for this request; common kinds are performed by the frame. */
  readonly fault?: Fault;
}

export interface AppAnswer {
  readonly status: number;
  /** JSON text; absent = no body. */
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A menu that becomes the store's with this answer. The frame keeps it, unless the fault is `ok_but_old`. */
  readonly accepted?: { readonly storeId: string; readonly payload: Buffer };
  /** The shown menu after a change of single items; the frame shows it, unless the fault is `ok_but_old`. */
  readonly changed?: { readonly storeId: string; readonly payload: Buffer };
}

/** The rules of one app, without HTTP, faults or records. */
export interface AppSimulator {
  readonly name: string;
  readonly description: string;
  /** Kinds beyond the common ones that `answer` performs when it finds them in `call.fault` or takes them itself. */
  readonly ownFaults: readonly FaultKind[];
  /** undefined: the app has no such path (404). */
  routeOf(method: string, path: string): FaultRoute | undefined;
  /** The route by the body too, where one path is for several; absent: the path decides. Must not throw. */
  routeOfBody?(route: FaultRoute, body: Buffer): FaultRoute;
  /** The store that a call is about, for the records; null when it does not say. Must not throw. */
  storeOf(call: AppCall): string | null;
  /** Whether the app knows a store by the id. */
  knows(storeId: string): boolean;
  readonly reader: MenuReader;
  /**
   * Whether a call meets a fault of its route now; absent = it meets all. A fault that decides how a task ends is met
   * once by each task, not by each question about it.
   */
  meets?(call: AppCall, fault: Fault): boolean;
  answer(call: AppCall): AppAnswer | Promise<AppAnswer>;
  /** The app's answer to an expired token; the token of the call is dead from then on. */
  expireToken(call: AppCall): AppAnswer;
  close?(): Promise<void>;
}

/** The environment of a simulator besides time and ids. */
export interface AppEnv extends SandboxEnv {
  readonly faults: FaultQueue;
  readonly menus: MenuLog;
  readonly stores: StoreStates;
}

export type AppSimulatorFactory = (env: AppEnv) => AppSimulator;

/** Options that all simulated apps share. */
export interface SimulatedAppOptions {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Stores that the app knows; absent = every id of valid form but the reserved ones. */
  readonly knownStores?: readonly string[];
}

/** The store that no simulated app knows, where store ids are UUIDs; elsewhere ids starting with `unknown`. */
export const UNKNOWN_STORE_UUID = '00000000-0000-4000-8000-000000000404';

export function isKnownStore(storeId: string, options: SimulatedAppOptions): boolean {
  if (options.knownStores) return options.knownStores.includes(storeId);
  return storeId !== UNKNOWN_STORE_UUID && !storeId.startsWith('unknown');
}

export function jsonAnswer(status: number, value: unknown): AppAnswer {
  return { status, body: JSON.stringify(value) };
}
