import type { ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { AppAnswer, AppCall, AppSimulator } from './app-simulator';
import type { Fault } from './fault';
import type { MenuLog } from './menu-log';
import type { SandboxEnv } from './sandbox-part';

const SCRIPTED = '{"error":"scripted"}';
const HTML = '<!doctype html><html><body><h1>Bad Gateway</h1></body></html>';
const CHUNK = Buffer.alloc(65_536, 'x');

export interface Performance {
  readonly env: SandboxEnv;
  readonly simulator: AppSimulator;
  readonly menus: MenuLog;
  readonly response: ServerResponse;
}

/** Answers one call as the app would, or as its fault demands; the status sent, or null when cut off before one. */
export async function answerWithFaults(stage: Performance, call: AppCall): Promise<number | null> {
  const { fault } = call;
  switch (fault?.kind) {
    case 'status':
      return send(stage.response, { status: fault.status, body: SCRIPTED });
    case 'rate_limit':
      return send(stage.response, rateLimited(fault, stage.env.clock()));
    case 'redirect':
      return send(stage.response, {
        status: 302,
        headers: { location: `/${stage.simulator.name}/_sandbox/elsewhere` },
      });
    case 'token_expired':
      return send(stage.response, stage.simulator.expireToken(call));
    case 'slow':
      await wait(fault.ms, undefined, { signal: stage.env.signal, ref: false });
      return send(stage.response, await act(stage, call));
    case 'late': {
      const answer = await act(stage, call);
      await wait(fault.ms, undefined, { signal: stage.env.signal, ref: false });
      return send(stage.response, answer);
    }
    case 'reset_before':
      stage.response.socket?.resetAndDestroy();
      return null;
    case 'reset_mid':
      return resetInsideAnswer(stage.response, await act(stage, call));
    case 'bad_json':
      return send(stage.response, unreadable(fault, await act(stage, call)));
    case 'endless_body':
      return sendWithoutEnd(stage.response, await act(stage, call));
    case 'ok_but_old':
    case 'errno':
    case 'task_stuck':
    case 'task_wait_retry':
    case 'task_failed':
    case 'task_partial':
    case 'task_success_refused':
    case 'approval':
    case 'item_failed':
    case 'days_refused':
    case 'webhook':
    case undefined:
      break;
  }
  return send(stage.response, await act(stage, call));
}

/** The app's own answer, with its effect: the menu that it accepts is the store's before anything is sent. */
async function act(stage: Performance, call: AppCall): Promise<AppAnswer> {
  const answer = await stage.simulator.answer(call);
  if (call.fault?.kind === 'ok_but_old') return answer;
  const { accepted, changed } = answer;
  if (accepted) stage.menus.keep(accepted.storeId, accepted.payload);
  if (changed) stage.menus.change(changed.storeId, changed.payload);
  return answer;
}

function rateLimited(fault: Fault, now: number): AppAnswer {
  // A date has no fraction of a second: rounded up, or a client that obeys it comes too early.
  const date = new Date((Math.ceil(now / 1000) + fault.s) * 1000);
  const retryAfter = fault.mode === 'date' ? date.toUTCString() : String(fault.s);
  return { status: 429, headers: { 'retry-after': retryAfter }, body: SCRIPTED };
}

/** The app's own refusal, or a success turned into something unreadable. */
function unreadable(fault: Fault, answer: AppAnswer): AppAnswer {
  if (answer.status >= 300) return answer;
  if (fault.mode !== 'cut')
    return { status: 200, headers: { 'content-type': 'text/html' }, body: HTML };
  const whole = answer.body ?? '{"message":"ok"}';
  return { status: 200, body: whole.slice(0, Math.ceil(whole.length / 2)) };
}

function send(response: ServerResponse, answer: AppAnswer): number {
  const { status, body } = answer;
  response.writeHead(status, {
    ...(body !== undefined && {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    }),
    ...answer.headers,
  });
  response.end(body);
  return status;
}

async function resetInsideAnswer(response: ServerResponse, answer: AppAnswer): Promise<number> {
  const body = Buffer.from(answer.body ?? '{"message":"ok"}');
  // A status without body (204) cannot be cut inside it.
  const status = answer.status === 204 ? 200 : answer.status;
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': body.length });
  const half = body.subarray(0, body.length / 2);
  await new Promise<void>((resolve) => {
    response.write(half, () => resolve());
  });
  response.socket?.resetAndDestroy();
  return status;
}

/** Writes until the client hangs up, no faster than it reads. */
async function sendWithoutEnd(response: ServerResponse, answer: AppAnswer): Promise<number> {
  const status = answer.status === 204 ? 200 : answer.status;
  response.writeHead(status, { 'content-type': 'application/json' });
  response.write('{"padding":"');
  await new Promise<void>((resolve) => {
    const more = (): void => {
      while (!response.destroyed && response.write(CHUNK));
    };
    response.on('drain', more);
    response.once('close', resolve);
    more();
  });
  return status;
}
