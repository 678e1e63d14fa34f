import type { ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import type { PartRequest, SandboxEnv, SandboxPart } from '../sandbox-part';
import { createAnswerQueue } from './answer-queue';
import { createControlPages } from './control-pages';
import { createReceivedRequests } from './received-requests';
import type { ScriptedAnswer } from './scripted-answer';
import { isSignedRightly } from './signature-check';

export interface ScriptedEndpointOptions {
  readonly name: string;
  readonly description: string;
  /** The answer when none is queued. */
  readonly defaultAnswer: ScriptedAnswer;
  /** Secrets known from the start; `POST _sandbox/secret` adds more. */
  readonly secrets: readonly string[];
}

/** Accepts any request on any path below its prefix, stores it and answers as scripted. */
export function createScriptedEndpoint(
  options: ScriptedEndpointOptions,
  env: SandboxEnv,
): SandboxPart {
  const answers = createAnswerQueue();
  const requests = createReceivedRequests();
  const secrets = new Set(options.secrets);
  const pages = createControlPages({ answers, requests, secrets });

  async function receive({ method, raw }: PartRequest): Promise<ScriptedAnswer> {
    // Raw: a signature is over the bytes as they came. No limit, as only this machine can reach the sandbox.
    const body = await buffer(raw);
    const { headers, url = '/' } = raw;
    const receivedAt = env.clock();
    const signature_valid = isSignedRightly({ secrets: [...secrets], headers, body, receivedAt });
    const at = new Date(receivedAt).toISOString();
    requests.add({ at, method, url, headers, body: body.toString('utf8'), signature_valid });
    const [path = ''] = url.split('?');
    return answers.take(path) ?? options.defaultAnswer;
  }

  return {
    name: options.name,
    description: options.description,
    async handle(request, response) {
      if (request.path.startsWith('/_sandbox/')) return pages(request, response);
      const answer = await receive(request);
      if (answer.delay_ms) {
        await wait(answer.delay_ms, undefined, { signal: env.signal, ref: false });
      }
      send(response, answer);
    },
  };
}

function send(response: ServerResponse, { status, body, headers }: ScriptedAnswer): void {
  if (body === undefined) {
    response.writeHead(status, headers).end();
    return;
  }
  const isText = typeof body === 'string';
  const type = isText ? 'text/plain; charset=utf-8' : 'application/json';
  response.writeHead(status, { 'content-type': type, ...headers });
  response.end(isText ? body : JSON.stringify(body));
}
