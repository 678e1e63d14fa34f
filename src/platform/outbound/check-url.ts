import { isIP } from 'node:net';
import { type AllowList, isAllowedAddress } from './addresses';
import { firstOddCharacter } from '../text/first-odd-character';
import type { Lookup } from './resolve-host';
import { parseUrl } from '../text/parse-url';

export interface WebhookUrlRules {
  /** Setting WEBHOOK_ALLOW_HTTP. */
  readonly allowHttp: boolean;
  /** Setting OUTBOUND_ALLOW_CIDRS. */
  readonly allowCidrs: AllowList;
  readonly lookup: Lookup;
}

export type WebhookUrlCheck =
  | { readonly ok: true; readonly url: string }
  /** `hint`: what is wrong with it, in a sentence. */
  | { readonly ok: false; readonly hint: string };

const MAX_LENGTH = 2_048;

// A user waits for the registration, so a silent name server must not hold it up.
const LOOKUP_WAIT_MS = 3_000;

// The URL parser drops tabs and line breaks and trims blanks, so the stored text would differ from the URL that is
// called.
const BLANK_OR_CONTROL = /[\p{Cc}\s]/gu;

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
  const hint = whyNot(text, rules.allowHttp) ?? (await whyNotThere(new URL(text), rules));
  return hint === null ? { ok: true, url: text } : { ok: false, hint };
}

/** Why this is no text of a webhook's URL; null if it is one. */
function whyNot(text: string, allowHttp: boolean): string | null {
  if (text.length > MAX_LENGTH) return `A url has ${MAX_LENGTH} characters at most.`;
  const blank = firstOddCharacter(text, BLANK_OR_CONTROL);
  if (blank !== null) return `A url has no blanks or control characters: ${blank}.`;
  const url = parseUrl(text);
  if (url === null) return 'It must be a whole url: https://host/path.';
  // Not url.hash: it is empty for a lone `#` too.
  if (text.includes('#')) return 'A fragment is never sent: leave out "#" and what is behind it.';
  const { protocol, username, password } = url;
  if (protocol === 'http:' && !allowHttp) return 'Plain http is not allowed: use https.';
  if (protocol !== 'https:' && protocol !== 'http:') return 'It must begin with https://.';
  return username === '' && password === ''
    ? null
    : 'User and password do not belong in a url: send them in headers, as "authorization".';
}

/** Why no request may go there; null if one may. The addresses of a name are not said: only our network may know them. */
async function whyNotThere(
  url: URL,
  { allowCidrs, lookup }: WebhookUrlRules,
): Promise<string | null> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const addresses = await addressesOf(host, lookup);
  if (addresses.every((address) => isAllowedAddress(address, allowCidrs))) return null;
  return isIP(host) === 0
    ? `The name ${host} leads to an address that is not public.`
    : `The address ${host} is not public.`;
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
