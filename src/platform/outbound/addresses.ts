import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** A block of addresses: a network and the length of its prefix. */
type Cidr = readonly [ipaddr.IPv4 | ipaddr.IPv6, number];

/** Blocks that may be reached although they are not public (setting OUTBOUND_ALLOW_CIDRS). */
export type AllowList = readonly Cidr[];

// Only 2000::/3 is allocated; ipaddr.js also calls every other unlisted block `unicast`.
const GLOBAL_V6: Cidr = [ipaddr.parse('2000::'), 3];

// Unicast by the registries, but answered by the machine's own host: Azure's wire server, which hands out
// credentials.
const PLATFORM_ADDRESSES = new Set(['168.63.129.16']);

/**
 * Whether `text` is an address on the public internet, in canonical form.
 * Any other spelling (octal, hexadecimal, short, with a zone) is not public whatever it means: two parsers read
 * `010.8.8.8` as two different addresses. This excludes nothing, because URLs and name servers both give canonical
 * addresses. ipaddr.js has its own names for v6 ranges that contain a v4 address (mapped, 6to4, Teredo, NAT64), so
 * `unicast` excludes them.
 */
export function isPublicAddress(text: string): boolean {
  const address = parseCanonical(text);
  if (address === null || PLATFORM_ADDRESSES.has(text)) return false;
  if (address.kind() === 'ipv6' && !isWithin(address, GLOBAL_V6)) return false;
  return address.range() === 'unicast';
}

/**
 * Whether a connection to this literal address may be made: it is public, or the operator named it
 * (OUTBOUND_ALLOW_CIDRS).
 */
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
  // A mapped v6 address does not match a v4 block: ipaddr.js throws on mixed kinds, and one family per rule is
  // simpler.
  return address.kind() === network.kind() && address.match(network, bits);
}
