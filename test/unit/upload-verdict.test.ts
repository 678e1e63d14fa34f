import { stateAndMessagesOf } from '../../src/uploads/upload-verdict';

const NOT_UPLOADED = 'Could not upload menu to delivery system.';

test.each(['live', 'unchanged'] as const)('%s ends uploaded without messages', (kind) => {
  expect(stateAndMessagesOf({ kind })).toMatchObject({ state: 'uploaded', messages: [] });
});

test('a partly accepted menu ends partly uploaded and names what was refused', () => {
  expect(
    stateAndMessagesOf({ kind: 'partly_live', reasons: ['The entity I2 was refused: ugly'] }),
  ).toEqual({
    state: 'partly_uploaded',
    messages: [
      'The delivery system did not accept the whole menu.',
      'The entity I2 was refused: ugly',
    ],
  });
});

test.each(['rejected', 'blocked', 'gave_up'] as const)(
  '%s ends failed with its reasons',
  (kind) => {
    expect(stateAndMessagesOf({ kind, reasons: ['Because.'], count: 1 })).toEqual({
      state: 'failed',
      messages: [NOT_UPLOADED, 'Because.'],
    });
  },
);

test('sentences about entities of the menu quote their ids as they were sent', () => {
  const reasons = ['The item name is too long: e\u0301  I1 '];
  for (const verdict of [
    { kind: 'blocked', reasons, count: 1 },
    { kind: 'partly_live', reasons },
    { kind: 'images_refused', reasons },
  ] as const) {
    expect(stateAndMessagesOf(verdict).messages).toContain(reasons[0]);
  }
});

test('of blocking losses the first 50 are kept, and all are counted', () => {
  const reasons = Array.from({ length: 50 }, (_, n) => `The item name is too long: I${n}`);
  const { messages } = stateAndMessagesOf({ kind: 'blocked', reasons, count: 4_000 });
  expect(messages).toHaveLength(51);
  expect(messages.at(-1)).toBe('There are 3951 more errors.');
});

test('failures of the token have their own messages', () => {
  expect(stateAndMessagesOf({ kind: 'token_refused' })).toEqual({
    state: 'failed',
    messages: ['Unable to get token.'],
  });
  expect(stateAndMessagesOf({ kind: 'token_not_accepted' })).toEqual({
    state: 'failed',
    messages: [NOT_UPLOADED, 'The delivery system did not accept the token.'],
  });
});

test('a menu that took too long has one message, which says so', () => {
  expect(stateAndMessagesOf({ kind: 'not_prepared' })).toEqual({
    state: 'failed',
    messages: ['The menu could not be prepared in time.'],
  });
});

test('refused images are the whole answer', () => {
  const reasons = ['The item image must be served over SSL: I1'];
  expect(stateAndMessagesOf({ kind: 'images_refused', reasons })).toEqual({
    state: 'failed',
    messages: reasons,
  });
});

test('an app’s text is cleaned of control characters and cut at 300 characters', () => {
  const [, cleaned, cut] = stateAndMessagesOf({
    kind: 'rejected',
    reasons: ['a\u0000b\u202Ec\nd', 'x'.repeat(1_000), '\u0007'],
  }).messages;
  expect(cleaned).toBe('a bc d');
  expect(cut?.length).toBeLessThanOrEqual(300);
});

test('a reason that becomes empty is left out', () => {
  expect(stateAndMessagesOf({ kind: 'rejected', reasons: ['\u0007', ''] }).messages).toEqual([
    NOT_UPLOADED,
  ]);
});

test('at most 50 sentences are returned, and a 51st says how many more there are', () => {
  const reasons = Array.from({ length: 60 }, (_, n) => `Reason ${n}.`);
  const { messages } = stateAndMessagesOf({ kind: 'rejected', reasons });
  expect(messages).toHaveLength(51);
  expect(messages.at(-1)).toBe('There are 11 more errors.');
});
