import { isIP } from 'node:net';
import { type AllowList, isAllowedAddress } from './addresses';
import type { Lookup } from './resolve-host';

export interface WebhookUrlRules {
  /** Setting WEBHOOK_ALLOW_HTTP. */
  readonly allowHttp: boolean;
  /** Setting OUTBOUND_ALLOW_CIDRS. */
  readonly allowCidrs: AllowList;
  readonly lookup: Lookup;
}

export type WebhookUrlCheck = { readonly ok: true; readonly url: string } | { readonly ok: false };

const MAX_LENGTH = 2_048;

// A registration is answered while somebody waits, so a silent name server must not hold it up.
const LOOKUP_WAIT_MS = 3_000;

// The URL parser drops tabs and line breaks and trims blanks; such a text would be stored as something else than it is used as.
const BLANK_OR_CONTROL = /[\p{Cc}\s]/u;

/**
 * Whether a webhook may be registered for `text`: https (http if allowed), no credentials, no fragment, at most 2,048 characters,
 * and no address that may not be reached. The answer has the text unchanged.
 *
 * A name that does not resolve now passes: a receiver may be registered before its name exists, and this check is only a
 * courtesy to the user. What protects the network is the same rule at the moment of each connection.
 */
export async function checkWebhookUrl(
  text: string,
  rules: WebhookUrlRules,
): Promise<WebhookUrlCheck> {
  const url = parseWebhookUrl(text, rules.allowHttp);
  if (url === null) return { ok: false };
  const addresses = await addressesOf(url.hostname.replace(/^\[|\]$/g, ''), rules.lookup);
  const allowed = addresses.every((address) => isAllowedAddress(address, rules.allowCidrs));
  return allowed ? { ok: true, url: text } : { ok: false };
}

function parseWebhookUrl(text: string, allowHttp: boolean): URL | null {
  if (text.length > MAX_LENGTH || BLANK_OR_CONTROL.test(text) || !URL.canParse(text)) return null;
  // Not url.hash: it is empty for a lone `#` too.
  if (text.includes('#')) return null;
  const url = new URL(text);
  if (url.protocol !== 'https:' && !(allowHttp && url.protocol === 'http:')) return null;
  return url.username === '' && url.password === '' ? url : null;
}

/** The addresses that the host stands for; none when nobody can say in time. */
async function addressesOf(hostname: string, lookup: Lookup): Promise<readonly string[]> {
  if (isIP(hostname) !== 0) return [hostname];
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<readonly string[]>((resolve) => {
    timer = setTimeout(() => resolve([]), LOOKUP_WAIT_MS);
  });
  try {
    return await Promise.race([lookup(hostname).catch(() => []), late]);
  } finally {
    clearTimeout(timer);
  }
}
