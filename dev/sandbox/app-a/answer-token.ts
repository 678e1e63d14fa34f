import {
  jsonAnswer,
  type AppAnswer,
  type AppCall,
  type SimulatedAppOptions,
} from '../app-simulator';
import type { TokenOffice } from './tokens';

/** Answers the OAuth call, whose errors are written unlike those of the menu calls. */
export function answerToken(
  call: AppCall,
  options: SimulatedAppOptions,
  tokens: TokenOffice,
): AppAnswer {
  const type = call.headers['content-type']?.split(';')[0]?.trim();
  if (type !== 'application/x-www-form-urlencoded') return refuse(400, 'invalid_request');
  const form = new URLSearchParams(call.body.toString('utf8'));
  const isClient =
    form.get('client_id') === options.clientId &&
    form.get('client_secret') === options.clientSecret;
  if (!isClient) return refuse(401, 'invalid_client');
  if (form.get('grant_type') !== 'client_credentials') return refuse(400, 'invalid_grant');
  const scope = form.get('scope') ?? '';
  const grant = tokens.grant(scope);
  if (grant.kind === 'invalid_scope') return refuse(400, 'invalid_scope');
  if (grant.kind === 'too_many_calls') {
    const answer = refuse(429, 'too_many_requests');
    return { ...answer, headers: { 'retry-after': String(grant.retryAfterS) } };
  }
  return jsonAnswer(200, {
    access_token: grant.token,
    expires_in: grant.expiresIn,
    token_type: 'Bearer',
    scope,
    refresh_token: '',
  });
}

function refuse(status: number, code: string): AppAnswer {
  return jsonAnswer(status, { error: code });
}
