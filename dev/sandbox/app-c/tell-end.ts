import { sendCallback } from './send-callback';
import { reportOf, type Task } from './tasks';

export interface CallbackOptions {
  /** Where callbacks go; read each time, because the receiver may start after the sandbox. */
  readonly callbackUrl: (() => string | undefined) | undefined;
  readonly clientId: string;
  readonly clientSecret: string;
  /** ms since epoch */
  readonly clock: () => number;
  readonly signal: AbortSignal;
}

/** Sends the callback about a task as its mode demands: once, twice, never, or with another secret. */
export async function tellEnd(options: CallbackOptions, task: Task): Promise<void> {
  const url = options.callbackUrl?.();
  if (url === undefined || task.callbackMode === 'never') return;
  const secret = task.callbackMode === 'forged' ? 'forged' : options.clientSecret;
  const callback = { url, body: bodyOf(options, task), secret, signal: options.signal };
  await sendCallback(callback);
  if (task.callbackMode === 'twice') await sendCallback(callback);
}

function bodyOf({ clientId, clock }: CallbackOptions, task: Task): string {
  const head = JSON.stringify({
    app_id: clientId,
    app_shop_id: task.shopId,
    type: 'uploadMenuTaskStatus',
    timestamp: Math.floor(clock() / 1000),
  });
  return `${head.slice(0, -1)},"data":${reportOf(task)}}`;
}
