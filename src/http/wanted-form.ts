import type { RequestContext } from './state';

/**
 * Whether the request would rather have this form than JSON. A charset or `header` beside it (RFC 4180), as many
 * clients send it, changes nothing: every form is UTF-8.
 */
export function wantsRather(
  ctx: Pick<RequestContext, 'accepts'>,
  form: 'text/csv' | 'text/plain',
): boolean {
  const chosen = ctx.accepts(['application/json', form].flatMap(spellings));
  return chosen !== false && chosen.startsWith(form);
}

/** The media type alone and with the parameters that clients add to it, as negotiation compares them too. */
function spellings(type: string): readonly string[] {
  return [type, `${type}; charset=utf-8`, `${type}; header=present`].concat(
    `${type}; charset=utf-8; header=present`,
  );
}
