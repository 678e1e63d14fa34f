import { noBody } from '../body/request-body';
import { noQuery, PUBLIC, route } from '../route';
import { answerStatic, type StaticContent, UNCHANGED } from '../static-answer';

export interface OpenApiDeps {
  /** The OpenAPI document of all routes, this one included. */
  readonly description: StaticContent;
}

/** The description of the API. No token is needed, because it contains no data of users. */
export const OPENAPI_ROUTES = [
  route({
    id: 'openapi',
    method: 'get',
    path: '/openapi.json',
    parameters: {},
    group: 'Service',
    summary: 'The OpenAPI document',
    access: PUBLIC,
    idempotency: 'none',
    query: noQuery,
    body: noBody,
    answers: [
      {
        status: 200,
        schema: { type: 'object' },
        examples: { start: { openapi: '3.1.0' } },
        headers: ['ETag'],
      },
      UNCHANGED,
    ],
    handle({ description }: OpenApiDeps, { ctx }) {
      // Tools in browsers read it from other origins; it is public anyway.
      ctx.set('Access-Control-Allow-Origin', '*');
      answerStatic(ctx, description);
    },
  }),
];
