import Router from '@koa/router';
import { createOpenApiDocument } from '../../openapi/document';
import type { RequestState } from '../state';
import { answerStatic, staticContent } from '../static-answer';

/** The description of the API. Without a token: it says nothing about anybody. */
export function openApiRoutes(): Router<RequestState> {
  const router = new Router<RequestState>();
  const content = staticContent('application/json', JSON.stringify(createOpenApiDocument()));
  router.get('/openapi.json', (ctx) => {
    // Tools that run in a browser read it from wherever they are served; it is public anyway.
    ctx.set('Access-Control-Allow-Origin', '*');
    answerStatic(ctx, content);
  });
  return router;
}
