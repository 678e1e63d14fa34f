import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, gunzip, gzip, gzipSync } from 'node:zlib';
import type { Sql } from '../platform/db/client';
import { freeIfLarge } from '../platform/threads/free-memory';
import { type Document, findDocument } from './sql/documents';

const compress = promisify(gzip);
const inflate = promisify(gunzip);

/** Level 1 takes a third of the default's time and makes a tenth more bytes. */
const GZIP_LEVEL = 1;
/**
 * A text is read again within seconds or not at all: the menus of a hundred uploads at once, with their payloads, have
 * 24 MB. With 64 MB, a worker was 40 MB larger after an hour, for texts that nothing read again.
 */
const DEFAULT_CACHE_BYTES = 24 * 1024 * 1024;

/** Menus and payloads by the SHA-256 of their text. The text of a hash never changes, so cached texts stay valid. */
export interface DocumentStore {
  /** Packs a text, and caches it. */
  pack(text: Buffer): Promise<Document>;
  /** Caches a text that was packed elsewhere. */
  remember(sha256: string, text: Buffer): void;
  /** The text of a stored document. Throws if there is none, because a row referred to it. */
  read(sha256: string): Promise<Buffer>;
  /** The same texts with the same cache; those that it lacks are read through these connections. */
  over(sql: Sql): DocumentStore;
}

/** Hashes and compresses a JSON text, off the main thread, for a row that refers to it. */
async function packDocument(text: Uint8Array): Promise<Document> {
  const contentGzip = await compress(text, { level: GZIP_LEVEL });
  return { sha256: sha256Of(text), contentGzip, size: text.length };
}

/** The same for a text that nothing else reads: its memory is freed. */
export async function packAndFree(text: Uint8Array): Promise<Document> {
  const document = await packDocument(text);
  freeIfLarge(text);
  return document;
}

/** The same in the calling thread, which is not the main one. */
export function packInThread(text: Buffer): Document {
  const contentGzip = gzipSync(text, { level: GZIP_LEVEL });
  return { sha256: sha256Of(text), contentGzip, size: text.length };
}

function sha256Of(text: Uint8Array): string {
  return createHash('sha256').update(text).digest('hex');
}

export function createDocumentStore(sql: Sql, cacheBytes = DEFAULT_CACHE_BYTES): DocumentStore {
  return storeOver(sql, createByteCache(cacheBytes));
}

function storeOver(sql: Sql, cache: ByteCache): DocumentStore {
  return {
    async pack(text) {
      const document = await packDocument(text);
      cache.set(document.sha256, text);
      return document;
    },
    remember: (sha256, text) => cache.set(sha256, text),
    async read(sha256) {
      const cached = cache.get(sha256);
      if (cached) return cached;
      const document = await findDocument(sql, sha256);
      if (!document) throw new Error(`document ${sha256} is missing`);
      const text = await inflate(document.contentGzip, { chunkSize: chunkFor(document.size) });
      cache.set(sha256, text);
      return text;
    },
    over: (other) => storeOver(other, cache),
  };
}

/**
 * A buffer for the whole text plus one byte, so zlib sees at once that it is done. With zlib's usual 16 kB each piece
 * is a trip to another thread: a menu of 150 kB took 2.7 times as long.
 */
function chunkFor(size: number): number {
  return Math.max(size + 1, constants.Z_MIN_CHUNK);
}

interface ByteCache {
  get(key: string): Buffer | undefined;
  set(key: string, value: Buffer): void;
}

/** Evicts the least recently used text first; limited by bytes. */
function createByteCache(maxBytes: number): ByteCache {
  const entries = new Map<string, Buffer>();
  let bytes = 0;
  return {
    get(key) {
      const found = entries.get(key);
      if (found) {
        entries.delete(key);
        entries.set(key, found);
      }
      return found;
    },
    set(key, value) {
      if (entries.has(key)) return;
      entries.set(key, value);
      bytes += value.length;
      for (const [oldest, text] of entries) {
        if (bytes <= maxBytes) break;
        entries.delete(oldest);
        bytes -= text.length;
      }
    },
  };
}
