import { type DeliveryState, judgeEvent } from '../../src/webhooks/delivery';
import { oneOrTwo } from '../../src/http/one-or-two';

const answer = (state: DeliveryState, message: string | null = null) => ({ state, message });

test('only when every system has acknowledged is an event acknowledged', () => {
  expect(judgeEvent([answer('acknowledged'), answer('acknowledged')])).toEqual({
    kind: 'acknowledged',
  });
  for (const state of ['pending', 'exhausted', 'discarded', 'delivered'] as const) {
    expect(judgeEvent([answer('acknowledged'), answer(state)])).toEqual({ kind: 'pending' });
  }
});

test('one refusal refuses, with the messages of all refusing systems, each once', () => {
  const verdict = judgeEvent([
    answer('acknowledged'),
    answer('refused', 'No such item.'),
    answer('pending', 'Busy.'),
    answer('refused', 'No such item.'),
    answer('refused', 'Closed.'),
  ]);
  expect(verdict).toEqual({ kind: 'refused', messages: ['No such item.', 'Closed.'] });
});

test('a type is the same as number and as digit', () => {
  expect([1, '1', 2, '2'].map(oneOrTwo)).toEqual([1, 1, 2, 2]);
});
