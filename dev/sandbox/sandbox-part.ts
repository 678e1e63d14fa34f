import type { IncomingMessage, ServerResponse } from 'node:http';

/** What every part of the sandbox is given: time and ids come from outside, so that a run can be repeated exactly. */
export interface SandboxEnv {
  /** ms since epoch. */
  readonly clock: () => number;
  /** An id never given before; the prefix says what it is for. */
  readonly newId: (prefix: string) => string;
  /** Aborted when the sandbox closes: timers and callbacks that are still waiting end then. */
  readonly signal: AbortSignal;
}

export interface PartRequest {
  readonly method: string;
  /** Path after the part's prefix, starting with `/`. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Unread: `readBody` reads, inflates and limits it. */
  readonly raw: IncomingMessage;
}

/** One simulated program under its own path prefix. */
export interface SandboxPart {
  /** The path prefix without slashes, such as `app-b`. */
  readonly name: string;
  /** One line for the start page. */
  readonly description: string;
  handle(request: PartRequest, response: ServerResponse): Promise<void>;
  close?(): Promise<void>;
}

export type SandboxPartFactory = (env: SandboxEnv) => SandboxPart;
