import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { readAnswerText } from '../../../src/platform/outbound/answer-text';
import { decodeContent } from '../../../src/platform/outbound/decode-content';

const TEXT = '{"message":"Es gibt kein Sorbet mehr."}';
const LIMIT = 16_384;

function decode(coding: string, body: Buffer, more: object = {}) {
  const headers = { 'content-encoding': coding };
  const answer = { kind: 'response', status: 409, headers, body, durationMs: 1 } as const;
  return decodeContent({ ...answer, truncated: false, ...more }, LIMIT);
}

function read(type: string, body: Buffer) {
  return readAnswerText({ headers: { 'content-type': type }, body });
}

describe('an answer that was compressed unasked is decoded', () => {
  it.each([
    ['gzip', gzipSync(TEXT)],
    ['GZIP', gzipSync(TEXT)],
    ['x-gzip', gzipSync(TEXT)],
    ['deflate', deflateSync(TEXT)],
    // As some servers understand it.
    ['deflate', deflateRawSync(TEXT)],
    ['br', brotliCompressSync(TEXT)],
    ['gzip, br', brotliCompressSync(gzipSync(TEXT))],
    ['identity', Buffer.from(TEXT)],
  ])('%s', async (coding, body) => {
    const result = await decode(coding, body);
    expect(result).toMatchObject({ body: Buffer.from(TEXT), truncated: false });
  });

  it.each([
    ['gzip', gzipSync(Buffer.alloc(20_000)), 'the answer is gzip and too large'],
    ['br', brotliCompressSync(Buffer.alloc(20_000)), 'the answer is br and too large'],
    ['gzip', Buffer.from('not gzip'), 'the answer is gzip and cannot be decoded'],
    ['zstd', Buffer.from('x'), 'the answer is zstd and that is not decoded'],
  ])('not %s when it is too much, broken or unknown: %#', async (coding, body, detail) => {
    const result = await decode(coding, body);
    expect(result).toMatchObject({ status: 409, body: Buffer.alloc(0), truncated: true, detail });
  });

  it('as far as it came', async () => {
    const body = gzipSync(TEXT).subarray(0, -8);
    expect(await decode('gzip', body, { truncated: true })).toMatchObject({
      body: Buffer.from(TEXT),
      truncated: true,
    });
  });

  it('an empty one, and one without an answer, stay as they are', async () => {
    expect(await decode('gzip', Buffer.alloc(0))).toMatchObject({ truncated: false });
    const trouble = { code: 'reset', detail: null, message: '' } as const;
    const failed = { kind: 'failed', ...trouble, sent: 'some', durationMs: 1 } as const;
    expect(await decodeContent(failed, LIMIT)).toBe(failed);
  });
});

describe('an answer is read in its own charset', () => {
  it.each([
    ['application/json', Buffer.from('Café'), 'Café'],
    ['application/json; charset=UTF-8', Buffer.from('\uFEFFCafé'), 'Café'],
    ['text/html; charset=iso-8859-1', Buffer.from('Caf\xe9 \x80\x93', 'latin1'), 'Café €“'],
    ['text/html;charset="windows-1252"', Buffer.from('\x8a\x9e\x81', 'latin1'), 'Šž\x81'],
    ['text/plain; Charset=US-ASCII', Buffer.from('\x85', 'latin1'), '…'],
    ['text/plain; charset=windows-1251', Buffer.from([0xcd, 0xe5, 0xf2]), 'Нет'],
    ['text/plain; charset=shift_jis', Buffer.from([0x82, 0xa0]), 'あ'],
    ['text/plain; charset=gbk', Buffer.from([0xc4, 0xe3]), '你'],
    ['application/json', Buffer.from('\uFEFFno', 'utf16le'), 'no'],
  ])('%s', (type, body, text) => {
    expect(read(type, body)).toEqual({ text, unknownCharset: null });
  });

  it('one that nobody knows is UTF-8, and named', () => {
    const body = Buffer.from('é');
    expect(read('text/plain; charset=klingon', body)).toEqual({
      text: 'é',
      unknownCharset: 'klingon',
    });
  });
});
