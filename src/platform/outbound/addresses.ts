import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** A block of addresses: a network and the number of its leading bits that count. */
type Cidr = readonly [ipaddr.IPv4 | ipaddr.IPv6, number];

/** Blocks that may be reached although they are not public (setting OUTBOUND_ALLOW_CIDRS). */
export type AllowList = readonly Cidr[];

// Only 2000::/3 is handed out to anybody; ipaddr.js calls every other unlisted block `unicast` too.
const GLOBAL_V6: Cidr = [ipaddr.parse('2000::'), 3];

// Unicast by the registries, but answered by the machine's own host: the wire server of Azure, which hands out credentials.
const PLATFORM_ADDRESSES = new Set(['168.63.129.16']);

/**
 * Whether `text` is an address on the public internet, written the canonical way.
 *
 * Any other spelling (octal, hexadecimal, short, with a zone) is not public whatever it means: `010.8.8.8` is two different
 * addresses to two parsers. Nothing is lost by that, as URLs and name servers both give canonical addresses. The ranges that carry
 * a v4 address inside a v6 one (mapped, 6to4, Teredo, NAT64) have their own names in ipaddr.js, so `unicast` excludes them.
 */
export function isPublicAddress(text: string): boolean {
  const address = parseCanonical(text);
  if (address === null || PLATFORM_ADDRESSES.has(text)) return false;
  if (address.kind() === 'ipv6' && !isWithin(address, GLOBAL_V6)) return false;
  return address.range() === 'unicast';
}

/** Whether a connection to this literal address may be made: it is public, or the operator named it (OUTBOUND_ALLOW_CIDRS). */
export function isAllowedAddress(text: string, allowCidrs: AllowList): boolean {
  return isPublicAddress(text) || isListedAddress(text, allowCidrs);
}

/** Whether a literal address is in one of the blocks. */
export function isListedAddress(text: string, blocks: AllowList): boolean {
  const address = parseCanonical(text);
  return address !== null && blocks.some((block) => isWithin(address, block));
}

/**
 * Reads a list of CIDR blocks or single addresses, separated by commas or blanks.
 * Throws an Error that names the first entry which is neither; an empty text is an empty list.
 */
export function parseCidrs(text: string): AllowList {
  return text
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .map(parseCidr);
}

function parseCidr(entry: string): Cidr {
  const [address = '', prefix, ...rest] = entry.split('/');
  const parsed = parseCanonical(address);
  if (parsed === null || rest.length > 0) throw new Error(`not a CIDR block: ${entry}`);
  const bits = parsed.kind() === 'ipv4' ? 32 : 128;
  if (prefix === undefined) return [parsed, bits];
  if (!/^\d{1,3}$/.test(prefix) || Number(prefix) > bits)
    throw new Error(`not a CIDR block: ${entry}`);
  return [parsed, Number(prefix)];
}

function parseCanonical(text: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  // isIP accepts `fe80::1%eth0`: a zone names an interface of this machine, never a public host.
  return isIP(text) === 0 || text.includes('%') ? null : ipaddr.parse(text);
}

function isWithin(address: ipaddr.IPv4 | ipaddr.IPv6, [network, bits]: Cidr): boolean {
  // A mapped v6 address does not match a v4 block: ipaddr.js throws on mixed kinds, and one family per rule is the plainer rule.
  return address.kind() === network.kind() && address.match(network, bits);
}
