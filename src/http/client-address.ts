import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import ipaddr from 'ipaddr.js';
import { type AllowList, isListedAddress } from '../platform/outbound/addresses';

/** The address that a request comes from, in canonical form, for limits per address and the log. */
export type AddressOf = (request: Pick<IncomingMessage, 'headers' | 'socket'>) => string;

/**
 * Finds a client's address behind `trusted` proxies: the rightmost one in `X-Forwarded-For` that is not a trusted
 * proxy. The header counts only if the peer is trusted, because any client can send it; addresses further left are
 * the client's claim. If the header is missing or unreadable, the peer's own address is used.
 */
export function createAddressOf(trusted: AllowList): AddressOf {
  /** Per connection, which has one peer: reading its address takes as long as parsing a small body. */
  const peers = new WeakMap<object, Peer>();

  function peerOf(socket: Pick<Socket, 'remoteAddress'>): Peer {
    const known = peers.get(socket);
    if (known) return known;
    const address = canonical(socket.remoteAddress ?? '') ?? '';
    const peer = { address, isTrusted: isListedAddress(address, trusted) };
    // A closed socket no longer has an address.
    if (address !== '') peers.set(socket, peer);
    return peer;
  }

  return ({ headers, socket }) => {
    const { address: peer, isTrusted } = peerOf(socket);
    if (!isTrusted) return peer;
    const forwarded = [headers['x-forwarded-for'] ?? ''].flat().join().split(',');
    for (const entry of forwarded.toReversed()) {
      const address = canonical(entry.trim());
      if (address === undefined) return peer;
      if (!isListedAddress(address, trusted)) return address;
    }
    return peer;
  };
}

interface Peer {
  readonly address: string;
  readonly isTrusted: boolean;
}

/**
 * Whom a limit per address counts an address with: a v4 address is alone; of a v6 one all with the same 64 bits, because
 * everybody who has one has these. `address` is in canonical form.
 */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  const { parts } = ipaddr.IPv6.parse(address);
  return parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':');
}

/** One spelling per address; a v4 address inside a v6 one, as a dual-stack socket reports it, becomes the v4 one. */
function canonical(text: string): string | undefined {
  // Plain decimal quads only: ipaddr.js also accepts 010.1, which other parsers read as another address.
  const isRead = ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text);
  return isRead ? ipaddr.process(text).toString() : undefined;
}
