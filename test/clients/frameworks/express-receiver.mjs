import { createHmac } from 'node:crypto';
import express from 'express';

const key = Buffer.from(process.env.WEBHOOK_SECRET.slice('whsec_'.length), 'base64');
const seen = new Set();

express()
  .post('/hooks', express.raw({ type: '*/*', limit: '16mb' }), (request, response) => {
    const id = request.get('webhook-id');
    const head = `${id}.${request.get('webhook-timestamp')}.`;
    const signature = createHmac('sha256', key).update(head).update(request.body).digest('base64');
    if (!request.get('webhook-signature').split(' ').includes(`v1,${signature}`)) {
      return response.status(401).json({ message: 'Bad signature.' });
    }
    if (!seen.has(id)) process.stdout.write(`applied ${id}\n`);
    seen.add(id);
    response.status(204).json({ detail: 'ok' });
  })
  .listen(Number(process.env.PORT), '127.0.0.1');
