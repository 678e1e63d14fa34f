import type { ComponentChildren } from 'preact';
import { AppError } from '../platform/errors';
import { formBody, noBody } from '../http/request-body';
import { noQuery, type QueryRule, route, type Route, SESSION } from '../http/route';
import type { RequestContext } from '../http/state';
import { isOperator } from '../users/guards';
import type { ApiAnswer, ApiRequest, CallApi } from './call-api';
import { answerPage, type PageFrame, type Section } from './page';
import { ProblemPage } from './pages/problem';
import { sessionOf } from './require-session';

export interface ConsoleDeps {
  readonly callApi: CallApi;
}

/** What a page is made with. */
interface PageRequest {
  readonly ctx: RequestContext;
  readonly params: Readonly<Record<string, string>>;
  /** The fields of the address's query that the API knows, without the empty ones that forms send. */
  readonly filter: Readonly<Record<string, string>>;
  /** Calls the API as the user who signed in. */
  readonly ask: (routeId: string, request?: ApiRequest) => Promise<ApiAnswer['body']>;
  readonly frame: (title: string) => PageFrame;
}

interface PageDeclaration<Deps> {
  readonly id: string;
  readonly path: string;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly section: Section;
  readonly summary: string;
  readonly show: (deps: Deps, request: PageRequest) => Promise<ComponentChildren>;
}

/** Any query: what the API does not know it ignores, and what is wrong it says. */
const anyQuery: QueryRule<Readonly<Record<string, string>>> = {
  schema: null,
  accept: (query) =>
    Object.fromEntries(
      Object.entries(query as Record<string, string | string[]>).flatMap(([name, value]) =>
        typeof value === 'string' && value !== '' ? [[name, value]] : [],
      ),
    ),
};

const COMMON = { group: null, access: SESSION, idempotency: 'none' } as const;
const SENT_AWAY = { status: 303, schema: { type: 'string' }, examples: { empty: '' } } as const;

/** Declares a page for people who signed in. What the API refuses is shown as a page with its sentences. */
export function consolePage<Deps extends ConsoleDeps>({
  id,
  path,
  parameters = {},
  section,
  summary,
  show,
}: PageDeclaration<Deps>): Route<Deps> {
  return route({
    ...COMMON,
    id: `console/${id}`,
    method: 'get',
    path,
    parameters,
    summary,
    query: anyQuery,
    body: noBody,
    answers: [
      {
        status: 200,
        mediaType: 'text/html',
        schema: { type: 'string' },
        examples: { page: '<!doctype html>' },
      },
      SENT_AWAY,
    ],
    async handle(deps: Deps, { ctx, params, query: filter }) {
      const frame = (title: string): PageFrame => ({
        title,
        section,
        formToken: sessionOf(ctx).formToken,
        isOperator: isOperator(ctx.state.caller),
      });
      const ask = async (routeId: string, request?: ApiRequest) =>
        (await deps.callApi(ctx.state.caller, routeId, request)).body;
      await orProblem(ctx, frame('Not possible'), '/console', async () =>
        answerPage(ctx, await show(deps, { ctx, params, filter, ask, frame })),
      );
    },
  });
}

interface ActionDeclaration {
  readonly id: string;
  readonly path: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly section: Section;
  readonly summary: string;
  /** The route of the API that does it. */
  readonly routeId: string;
  readonly request: (
    params: Readonly<Record<string, string>>,
    fields: Readonly<Record<string, string>>,
  ) => ApiRequest;
  /** Where to look afterwards. */
  readonly next: (params: Readonly<Record<string, string>>, answer: ApiAnswer) => string;
}

/** Declares something that a form of a page does by calling the API; then the browser is sent to `next`. */
export function consoleAction<Deps extends ConsoleDeps>({
  id,
  path,
  parameters,
  section,
  summary,
  routeId,
  request,
  next,
}: ActionDeclaration): Route<Deps> {
  return route({
    ...COMMON,
    id: `console/${id}`,
    method: 'post',
    path,
    parameters,
    summary,
    query: noQuery,
    body: formBody,
    answers: [SENT_AWAY],
    async handle(deps: Deps, { ctx, params, body }) {
      const { caller } = ctx.state;
      const frame = {
        title: 'Not done',
        section,
        formToken: sessionOf(ctx).formToken,
        isOperator: isOperator(caller),
      };
      const back = path
        .slice(0, path.lastIndexOf('/'))
        .replace(/\{(\w+)\}/g, (_all, name) => encodeURIComponent(params[name as never] ?? ''));
      await orProblem(ctx, frame, back, async () => {
        const answer = await deps.callApi(
          caller,
          routeId,
          request(params, Object.fromEntries(body)),
        );
        ctx.status = 303;
        ctx.set('Location', next(params, answer));
      });
    },
  });
}

async function orProblem(
  ctx: RequestContext,
  frame: PageFrame,
  back: string,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const sentences = error.options.fields
      ? Object.values(error.options.fields).flat().map(String)
      : error.sentences;
    answerPage(ctx, <ProblemPage frame={frame} sentences={sentences} back={back} />, error.status);
  }
}
