import { describeFailure, type Failure } from './failures';
import type { OutboundErrorCode, OutboundTrouble } from './types';

/** Codes of OpenSSL and Node for certificates, and of c-ares and the kernel for names and ways, in words. */
const WORDS: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'certificate has expired',
  CERT_NOT_YET_VALID: 'the certificate is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'the chain ends in a self-signed certificate that is not known',
  // The peer has sent its own certificate and not the one that signed it.
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the chain is incomplete',
  UNABLE_TO_GET_ISSUER_CERT: 'the chain is incomplete',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the chain is incomplete',
  CERT_REVOKED: 'the certificate was revoked',
  CERT_UNTRUSTED: 'the certificate is not trusted',
  CERT_SIGNATURE_FAILURE: 'the signature of the certificate is wrong',
  INVALID_PURPOSE: 'the certificate is not for servers',
  INVALID_CA: 'the chain has a certificate that may not sign others',
  ERR_SSL_EE_KEY_TOO_SMALL: 'the key of the certificate is too short',
  ERR_SSL_DH_KEY_TOO_SMALL: 'the key of the handshake is too short',
  ERR_SSL_WRONG_VERSION_NUMBER: 'the port does not speak TLS',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'the port does not speak TLS',
  ERR_SSL_HTTP_REQUEST: 'the port does not speak TLS',
  ERR_SSL_UNSUPPORTED_PROTOCOL: 'the server speaks no TLS version from 1.2 on',
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: 'the server speaks no TLS version from 1.2 on',
  ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE: 'the server has no cipher in common with us',
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: 'the server wants a client certificate',
  ERR_SSL_TLSV1_UNRECOGNIZED_NAME: 'the server does not know this name',
  ENOTFOUND: 'the name does not exist',
  ENODATA: 'the name has no address',
  ESERVFAIL: 'the name server failed',
  EREFUSED: 'the name server refused the question',
  ETIMEOUT: 'no name server answered in time',
  EHOSTUNREACH: 'there is no way to the address',
  ENETUNREACH: 'there is no way to the address',
  connecting: 'the server did not take the connection in time',
  securing: 'the TLS handshake did not end in time',
  quiet: 'the rest of the answer did not come',
};

/** llhttp says why an answer is not HTTP; its reasons are its own words, and quote nothing of the answer. */
const PARSER_REASON = /^Response does not match the HTTP\/1\.1 protocol \((.+)\)$/;

/**
 * What is wrong, for the peer's owner, who sees no log: `certificate has expired`, `proxy 407`. Null if the code says
 * it all. Never an address: a name may lead to one that only our network knows.
 */
function wordsFor({ code, detail }: Failure): string | null {
  const words = Object.hasOwn(WORDS, detail) ? WORDS[detail] : undefined;
  if (words !== undefined) return words;
  switch (code) {
    case 'address_not_allowed':
      return 'the address is not public';
    case 'tls_failed':
      return detail === 'ECONNRESET' ? 'the server ended the handshake' : detail || null;
    case 'dns_failed':
    case 'connect_failed':
    case 'invalid_response':
      return (PARSER_REASON.exec(detail)?.[1] ?? detail) || null;
    case 'connect_refused':
    case 'connect_timeout':
    case 'reset':
    case 'closed_early':
    case 'timeout':
    case 'headers_too_large':
    case 'aborted':
    case 'invalid_request':
      return null;
    default:
      return code satisfies never;
  }
}

/** A failure as results have it. `host`: the only part of the URL that may be shown. */
export function troubleOf(failure: Failure, host: string): OutboundTrouble {
  const { code }: { readonly code: OutboundErrorCode } = failure;
  return { code, detail: wordsFor(failure), message: describeFailure(failure, host) };
}
