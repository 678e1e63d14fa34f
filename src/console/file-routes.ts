import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { noBody } from '../http/body/request-body';
import { noQuery, PUBLIC, route } from '../http/route';
import { answerStatic, staticContent, UNCHANGED } from '../http/static-answer';

/** Next to the code, both in source and in the build: `npm run build` copies them. */
const FILES = [
  { name: 'style.css', mediaType: 'text/css', summary: 'How the pages look' },
  { name: 'console.js', mediaType: 'text/javascript', summary: 'How the pages refresh themselves' },
] as const;

/** The files that the pages load. */
export const FILE_ROUTES = FILES.map(({ name, mediaType, summary }) => {
  const content = staticContent(`${mediaType}; charset=utf-8`, readFileSync(join(__dirname, name)));
  return route({
    group: null,
    access: PUBLIC,
    parameters: {},
    query: noQuery,
    idempotency: 'none',
    id: `console/${name}`,
    method: 'get',
    path: `/console/${name}`,
    summary,
    body: noBody,
    answers: [
      {
        status: 200,
        mediaType,
        schema: { type: 'string' },
        examples: { text: '' },
        headers: ['ETag'],
      },
      UNCHANGED,
    ],
    handle: (_deps: object, { ctx }) => answerStatic(ctx, content),
  });
});
