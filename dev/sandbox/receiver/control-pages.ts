import type { ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { isSecret } from '../../../src/platform/crypto/signing';
import type { PartRequest } from '../sandbox-part';
import { sendJson } from '../send-json';
import type { AnswerQueue } from './answer-queue';
import type { ReceivedRequests } from './received-requests';
import { readScriptedAnswer } from './scripted-answer';

export interface ControlledEndpoint {
  readonly answers: AnswerQueue;
  readonly requests: ReceivedRequests;
  /** Grows only until it is emptied: a receiver in a rotation knows the old secret and the new one. */
  readonly secrets: Set<string>;
}

type Page = (request: PartRequest, response: ServerResponse) => Promise<void> | void;
type Pages = Readonly<Record<string, Readonly<Record<string, Page>>>>;

/** `GET`, `DELETE` of `_sandbox/requests` and `_sandbox/answers`, `DELETE` of `_sandbox/secret`; `POST` of the last two. */
export function createControlPages(endpoint: ControlledEndpoint): Page {
  const pages = pagesOf(endpoint);
  return async (request, response) => {
    const page = pages[request.path];
    if (page === undefined) return refuse(response, 404, 'There is no such page.');
    const answer = page[request.method];
    if (answer !== undefined) return answer(request, response);
    response.setHeader('allow', Object.keys(page).join(', '));
    return refuse(response, 405, `The page does not know ${request.method}.`);
  };
}

function pagesOf({ answers, requests, secrets }: ControlledEndpoint): Pages {
  return {
    '/_sandbox/requests': {
      GET: (_, response) => sendJson(response, 200, requests.list()),
      DELETE: (_, response) => empty(response, requests),
    },
    '/_sandbox/answers': {
      GET: (_, response) => sendJson(response, 200, answers.list()),
      DELETE: (_, response) => empty(response, answers),
      POST: async ({ raw }, response) => {
        const answer = readScriptedAnswer(await json(raw).catch(() => undefined));
        if (typeof answer === 'string') return refuse(response, 400, answer);
        answers.push(answer);
        return sendJson(response, 201, answers.list());
      },
    },
    '/_sandbox/secret': {
      DELETE: (_, response) => empty(response, secrets),
      POST: async ({ raw }, response) => {
        const secret = secretOf(await json(raw).catch(() => undefined));
        if (secret === null) return refuse(response, 400, 'The secret must be whsec_ and base64.');
        secrets.add(secret);
        return sendJson(response, 201, { secrets: secrets.size });
      },
    },
  };
}

function secretOf(body: unknown): string | null {
  if (typeof body !== 'object' || body === null || !('secret' in body)) return null;
  return typeof body.secret === 'string' && isSecret(body.secret) ? body.secret : null;
}

function refuse(response: ServerResponse, status: number, message: string): void {
  sendJson(response, status, { message });
}

function empty(response: ServerResponse, what: { clear(): void }): void {
  what.clear();
  response.writeHead(204).end();
}
