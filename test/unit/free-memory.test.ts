import { freeMemory } from '../../src/platform/threads/free-memory';

const MEGABYTE = 1_048_576;

test('memory is free at once, without a collection of garbage', () => {
  const before = process.memoryUsage().arrayBuffers;
  const pieces = Array.from({ length: 20 }, () => new Uint8Array(MEGABYTE));
  expect(process.memoryUsage().arrayBuffers - before).toBeGreaterThan(19 * MEGABYTE);
  freeMemory(pieces);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(MEGABYTE);
  expect(pieces.map(({ length }) => length)).toEqual(Array(20).fill(0));
});

test('what is shared with others stays, and what is named twice or already free is no error', () => {
  const shared = Buffer.from('small, in the memory of many');
  const part = new Uint8Array(100).subarray(50);
  const own = new Uint8Array(10);
  freeMemory([shared, part, own, own, new Uint8Array(own.buffer)]);
  freeMemory([own, new Uint8Array()]);
  freeMemory([]);
  expect([shared.toString(), part.length, own.length]).toEqual([
    'small, in the memory of many',
    50,
    0,
  ]);
});
