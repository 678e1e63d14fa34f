import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { text } from 'node:stream/consumers';
import { createGunzip } from 'node:zlib';
import type { SelfSignedCertificate } from '../../test/support/self-signed-certificate';

/*
 * All parties that the service talks to, in one process: each has an origin for the healthy and one for the unhealthy
 * neighbourhood. All answer at once, until a message names the one that stops answering; null makes it healthy again.
 */

export const PARTIES = ['app', 'token', 'images', 'pos', 'receiver'] as const;
export type Party = (typeof PARTIES)[number];

export interface Origins {
  readonly well: string;
  readonly unwell: string;
  /** Of images: https. */
  readonly wellImages: string;
  readonly unwellImages: string;
}

let hanging: Party | null = null;
/** What App A shows, by path. */
const menus = new Map<string, string>();

/** Which party a request is for; `app` covers pushes to both apps. */
function partyOf(url: string): Party {
  if (url.endsWith('/token')) return 'token';
  if (url.endsWith('.png')) return 'images';
  if (url.startsWith('/pos')) return 'pos';
  return url.startsWith('/receiver') ? 'receiver' : 'app';
}

function answering(isUnwell: boolean): RequestListener {
  return (request, response) => {
    const url = request.url ?? '';
    const party = partyOf(url);
    const body = text(
      request.headers['content-encoding'] === 'gzip' ? request.pipe(createGunzip()) : request,
    );
    body.then(
      (content) => {
        if (isUnwell && party === hanging) return;
        const { status, answer } = answerOf(party, request.method ?? '', url, content);
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(answer);
      },
      () => response.destroy(),
    );
  };
}

function answerOf(
  party: Party,
  method: string,
  url: string,
  content: string,
): { status: number; answer?: string | Buffer } {
  switch (party) {
    case 'token':
      return {
        status: 200,
        answer: '{"access_token":"t","token_type":"Bearer","expires_in":3600}',
      };
    case 'images':
      return { status: 200, answer: IMAGE };
    case 'pos':
      return { status: 200, answer: '{}' };
    case 'receiver':
      return { status: 204 };
    case 'app':
      if (method === 'GET') return { status: 200, answer: menus.get(url) ?? '{}' };
      if (url.startsWith('/v2')) menus.set(url, content);
      return url.startsWith('/v2') ? { status: 204 } : { status: 200, answer: '{"menu_id":"m"}' };
  }
}

/** The head of a PNG of 400 by 400 pixels. */
const IMAGE = Buffer.from('89504e470d0a1a0a0000000d4948445200000190000001900802000000', 'hex');

async function listen(server: Server, scheme: 'http' | 'https'): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', 4_096, resolve));
  return `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function createHttpServer(isUnwell: boolean): Server {
  const server = createServer(answering(isUnwell));
  server.keepAliveTimeout = 60_000;
  return server;
}

async function main(certificate: SelfSignedCertificate): Promise<void> {
  const origins: Origins = {
    well: await listen(createHttpServer(false), 'http'),
    unwell: await listen(createHttpServer(true), 'http'),
    wellImages: await listen(createTlsServer(certificate, answering(false)), 'https'),
    unwellImages: await listen(createTlsServer(certificate, answering(true)), 'https'),
  };
  process.send?.(origins);
}

process.once('disconnect', () => process.exit());
process.once('message', (certificate: SelfSignedCertificate) => {
  process.on('message', (message: { hang: Party | null }) => {
    hanging = message.hang;
    process.send?.('done');
  });
  main(certificate).catch(() => process.exit(1));
});
