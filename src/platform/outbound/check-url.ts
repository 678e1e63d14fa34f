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

// A user waits for the registration, so a silent name server must not hold it up.
const LOOKUP_WAIT_MS = 3_000;

// The URL parser drops tabs and line breaks and trims blanks, so the stored text would differ from the URL that is
// called.
const BLANK_OR_CONTROL = /[\p{Cc}\s]/u;

/**
 * Whether a webhook may be registered for `text`: https (http if allowed), no credentials, no fragment, at most 2,048
 * characters, and no forbidden address. The result has the text unchanged.
 * A name that does not resolve now passes, because a receiver may be registered before its name exists. This check is
 * only a courtesy to the user; the same rule, applied at each connection, protects the network.
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

/** The addresses of the host; empty if they cannot be resolved in time. */
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
