import type { IncomingHttpHeaders } from 'node:http';
import type { Middleware } from 'koa';
import { AppError } from '../../platform/errors';
import { headFault } from '../body/body-head';
import { bodyTooLarge } from '../body/read-bytes';
import type { BodyRule } from '../body/request-body';
import type { RequestState } from '../state';

/** Refuses a request by the head of its body, before it waits for anything: content type 415, declared length 413. */
export function requireRightHead(rule: BodyRule<unknown>): Middleware<RequestState> {
  return (ctx, next) => {
    checkHead(rule, ctx.req.headers);
    return next();
  };
}

/** Throws the 415 of a wrong content type or encoding, then the 413 of a declared length that is too much. */
export function checkHead(rule: BodyRule<unknown>, headers: IncomingHttpHeaders): void {
  switch (headFault(rule, headers)) {
    case 'type':
      throw new AppError('unsupported_media_type', `The content type must be ${wantedType(rule)}.`);
    case 'encoding':
      throw new AppError('unsupported_media_type', 'The content encoding must be gzip or none.');
    case 'length':
      throw bodyTooLarge();
    case undefined:
  }
}

function wantedType(rule: BodyRule<unknown>): string {
  if (rule.kind !== 'form') return 'application/json';
  return rule.encoding === 'multipart'
    ? 'multipart/form-data'
    : 'application/x-www-form-urlencoded';
}
