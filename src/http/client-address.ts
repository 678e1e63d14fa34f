import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import ipaddr from 'ipaddr.js';
import { type AllowList, isListedAddress } from '../platform/outbound/addresses';

/** The address that a request comes from, in canonical form: what is counted by address and what the log names. */
export type AddressOf = (request: Pick<IncomingMessage, 'headers' | 'socket'>) => string;

/**
 * Finds the address of a client behind `trusted` proxies: the rightmost one in `X-Forwarded-For` that is not itself a
 * trusted proxy. Only a peer among them is believed, as anybody can send the header; what stands further left is the
 * word of the client. Where the header is missing or unreadable the peer's own address counts.
 */
export function createAddressOf(trusted: AllowList): AddressOf {
  return ({ headers, socket }) => {
    const peer = peerOf(socket);
    if (!isListedAddress(peer, trusted)) return peer;
    const forwarded = [headers['x-forwarded-for'] ?? ''].flat().join().split(',');
    for (const entry of forwarded.toReversed()) {
      const address = canonical(entry.trim());
      if (address === undefined) return peer;
      if (!isListedAddress(address, trusted)) return address;
    }
    return peer;
  };
}

/** Of a connection that is kept: it has one peer, and reading its address took as long as parsing a small body. */
const peers = new WeakMap<object, string>();

function peerOf(socket: Pick<Socket, 'remoteAddress'>): string {
  const known = peers.get(socket);
  if (known !== undefined) return known;
  const peer = canonical(socket.remoteAddress ?? '') ?? '';
  // One that is closed has no address any more.
  if (peer !== '') peers.set(socket, peer);
  return peer;
}

/** One spelling for each address; a v4 address inside a v6 one, as a socket for both families has it, is the v4 one. */
function canonical(text: string): string | undefined {
  // Plain decimal quads only: ipaddr.js reads 010.1 as well, which is another address to another reader.
  const isRead = ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text);
  return isRead ? ipaddr.process(text).toString() : undefined;
}
