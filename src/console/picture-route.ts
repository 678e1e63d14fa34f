import { fetchPicture, LARGEST_PICTURE } from '../delivery-apps/images/fetch-picture';
import type { RequestPermits } from '../http/admission/request-permits';
import { noBody } from '../http/body/request-body';
import { route, type Route, SESSION } from '../http/route';
import type { RequestContext } from '../http/state';
import { whenClosed } from '../http/when-closed';
import type { BoundShares } from '../platform/admission/permits';
import { serviceBusy } from '../platform/admission/service-busy';
import type { SecretBox } from '../platform/crypto/secrets';
import { AppError } from '../platform/errors';
import type { OutboundClient } from '../platform/outbound/types';
import { parseUrl } from '../platform/text/parse-url';
import { anyQuery } from './console-route';
import { PICTURES, readPictureLink } from './picture-links';

export interface PictureDeps {
  readonly secrets: SecretBox;
  readonly http: OutboundClient;
  /** By host, so that no stranger's server is asked for many at once. */
  readonly pictureHosts: RequestPermits<string>;
  /** The memory of bodies and answers. */
  readonly bodyBudget: BoundShares;
}

/** Whatever the bytes are to a browser, they can do nothing on our origin. */
const HARMLESS = {
  'Content-Security-Policy': "sandbox; default-src 'none'",
  'X-Content-Type-Options': 'nosniff',
};
const KEEP_SECONDS = 3_600;
/** Not asked for again by each look at a page, but soon. */
const KEEP_TROUBLE_SECONDS = 60;

/** The picture of an item in a menu, from the server that the menu names; the pages' own policy allows no other. */
export const PICTURE_ROUTE: Route<PictureDeps> = route({
  id: 'console/picture',
  method: 'get',
  path: PICTURES,
  parameters: {},
  group: null,
  summary: 'A picture of a menu',
  access: SESSION,
  slow: 'fetches pictures',
  idempotency: 'none',
  query: anyQuery,
  body: noBody,
  answers: [
    { status: 200, mediaType: 'image/png', schema: { type: 'string' }, examples: { picture: '' } },
    {
      status: 404,
      when: 'No page of ours has this link, or the server has no such picture.',
      sentences: ['The picture was not found.'],
    },
    {
      status: 502,
      when: 'Its server did not answer in time, or with something else than a picture of 5 MB at most. Without a body.',
      sentences: [],
    },
  ],
  async handle(deps: PictureDeps, { ctx, query }) {
    const url = readPictureLink(deps.secrets, query);
    const host = url && parseUrl(url)?.host;
    if (!url || !host) throw new AppError('not_found', 'The picture was not found.');
    const memory = deps.bodyBudget.take(ctx.state.caller.userId, LARGEST_PICTURE);
    if (!memory) throw serviceBusy();
    whenClosed(ctx.res, () => memory.release());
    const found = await deps.pictureHosts.run(host, () => fetchPicture(deps.http, url), ctx.res);
    if (typeof found === 'string') {
      memory.release();
      answerWithout(ctx, found === 'missing' ? 404 : 502);
      return;
    }
    memory.resize(found.bytes.length);
    ctx.status = 200;
    ctx.set({ ...HARMLESS, 'Cache-Control': `private, max-age=${KEEP_SECONDS}` });
    ctx.type = `image/${found.format}`;
    ctx.body = found.bytes;
  },
});

/** The page shows the picture's text in its place. */
function answerWithout(ctx: RequestContext, status: 404 | 502): void {
  ctx.status = status;
  ctx.set({ ...HARMLESS, 'Cache-Control': `private, max-age=${KEEP_TROUBLE_SECONDS}` });
  ctx.type = 'text/plain';
  ctx.body = '';
}
