import { createLineShare } from '../../src/webhooks/drain/line-share';

test('a single process takes all lines and hands over none', () => {
  const share = createLineShare();
  expect(share.hasRoom(256)).toBe(true);
  const alone = { lines: 16, others: 0, isAlone: true, held: 16 };
  expect(share.isAlone()).toBe(false);
  expect([share.learn(alone), share.learn(alone)]).toEqual([0, 0]);
  expect(share.hasRoom(256)).toBe(true);
  expect(share.isAlone()).toBe(true);
});

test('lines in excess twice in a row are handed over, not a momentary excess', () => {
  const share = createLineShare();
  const full = { lines: 16, others: 1, isAlone: false, held: 16 };
  expect(share.learn(full)).toBe(0);
  expect(share.learn(full)).toBe(8);
  expect(share.learn({ ...full, held: 9 })).toBe(1);
  expect(share.learn({ ...full, held: 8 })).toBe(0);
  expect(share.learn(full)).toBe(0);
});

test.each([
  [16, 2, 6],
  [3, 1, 2],
  [1, 3, 1],
  [16, 99, 1],
])('of %i lines with %i others a process has room for up to %i', (lines, others, share) => {
  const known = createLineShare();
  known.learn({ lines, others, isAlone: false, held: 0 });
  expect(known.hasRoom(share - 1)).toBe(true);
  expect(known.hasRoom(share)).toBe(false);
});
