// A webhook receiver in Node 18 or later, without dependencies.
//
// WEBHOOK_SECRETS='whsec_… whsec_…' PORT=8080 node verify-webhook.mjs

import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const MAX_BODY = 16 * 1024 * 1024;
const secrets = process.env.WEBHOOK_SECRETS.split(/\s+/);
const tolerance = Number(process.env.WEBHOOK_TOLERANCE ?? 300);

/** Whether `body` (a Buffer, as received) was signed by the platform within the tolerance. */
function verify(headers, body, now) {
  const timestamp = headers['webhook-timestamp'] ?? '';
  if (!/^\d{1,11}$/.test(timestamp) || Math.abs(now - Number(timestamp)) > tolerance) return false;
  const start = `${headers['webhook-id']}.${timestamp}.`;
  const given = (headers['webhook-signature'] ?? '').split(' ');
  return secrets.some((secret) => {
    const expected = `v1,${mac(secret, start, body).toString('base64')}`;
    return given.some((each) => same(expected, each));
  });
}

/** The older header. Its `now` is the body's, and the same second as webhook-timestamp. */
function verifyXSignatureRequest(headers, body) {
  const now = new Date(Number(headers['webhook-timestamp']) * 1000).toISOString();
  const given = (headers['x-signature-request'] ?? '').split(',');
  return secrets.some((secret) => {
    const expected = `v1=${mac(secret, `${now}.`, body).toString('hex')}`;
    return given.some((each) => same(expected, each));
  });
}

function mac(secret, start, body) {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  return createHmac('sha256', key).update(start).update(body).digest();
}

function same(expected, given) {
  const [a, b] = [Buffer.from(expected), Buffer.from(given)];
  // timingSafeEqual throws for different lengths; the length of a signature is no secret.
  return a.length === b.length && timingSafeEqual(a, b);
}

// Yours are tables, written in the transaction that applies the message.
const seen = new Set();
const newest = new Map();

/** Applies a message once; what it returns is told to the POS user as the reason of a refusal. */
function take(messageId, sequence, message) {
  if (seen.has(messageId)) return null;
  if (message.external_id !== undefined) {
    if (message.current_stock.startsWith('-')) return 'The stock cannot be negative.';
    const item = JSON.stringify([message.store_id, message.external_id]);
    // A retry may arrive after a newer update of the same item: older news is no news.
    if (sequence > (newest.get(item) ?? -1)) {
      newest.set(item, sequence);
      process.stdout.write(`stock of ${item} is ${message.current_stock}\n`);
    }
  }
  seen.add(messageId);
  return null;
}

async function receive(request, response) {
  const chunks = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > MAX_BODY) return response.writeHead(413, { connection: 'close' }).end();
    chunks.push(chunk);
  }
  const { headers } = request;
  const body = Buffer.concat(chunks);
  // The first is enough, and an event has no other. The older one is here to show how.
  const hasOlder = headers['x-signature-request'] !== undefined;
  if (
    !verify(headers, body, Date.now() / 1000) ||
    (hasOlder && !verifyXSignatureRequest(headers, body))
  ) {
    return response.writeHead(401).end();
  }
  const sequence = Number(headers['webhook-sequence']);
  const refusal = take(headers['webhook-id'], sequence, JSON.parse(body));
  if (refusal === null) return response.writeHead(204).end();
  response.writeHead(422, { 'content-type': 'application/json' });
  return response.end(JSON.stringify({ message: refusal }));
}

const server = createServer((request, response) => {
  receive(request, response).catch(() => response.writeHead(500).end());
});
server.listen(Number(process.env.PORT ?? 8080), '127.0.0.1', () => {
  process.stdout.write(`listening on ${server.address().port}\n`);
});
