import {
  deliveryIdOf,
  deliveryIdRange,
  messageIdOf,
  newEventId,
  timeOfDelivery,
} from '../../src/webhooks/delivery-ids';
import { firstId, isId } from '../../src/platform/ids';

test('deliveries of an event have well-formed ids, in order, within the range of that event only', () => {
  const event = newEventId();
  const other = newEventId();
  const [first, last] = deliveryIdRange(event);
  const ids = [0, 1, 15, 16, 4_095].map((number) => deliveryIdOf(event, number));
  expect(ids.every((id) => isId('dlv', id))).toBe(true);
  expect(ids).toEqual(ids.toSorted());
  expect(ids[0]).toBe(first);
  expect(ids.at(-1)).toBe(last);
  const foreign = deliveryIdOf(other, 0);
  expect(foreign < first || foreign > last).toBe(true);
});

test('more deliveries than an event has ids for are refused, not mixed up with another event’s', () => {
  expect(() => deliveryIdOf(newEventId(), 4_096)).toThrow('too many');
});

test('the message id is the delivery’s own, so that every attempt has the same', () => {
  const id = deliveryIdOf(newEventId(), 3);
  expect(messageIdOf(id)).toBe(`msg_${id.slice(4)}`);
});

test('an id contains its time, and a later id sorts after it', () => {
  const before = Date.now();
  const id = deliveryIdOf(newEventId(), 0);
  expect(timeOfDelivery(id)).toBeGreaterThanOrEqual(before);
  expect(timeOfDelivery(id)).toBeLessThanOrEqual(Date.now());
  expect(firstId('dlv', timeOfDelivery(id)) <= id).toBe(true);
  expect(firstId('dlv', timeOfDelivery(id) + 1) > id).toBe(true);
  expect(timeOfDelivery(firstId('dlv', 1_700_000_000_000.5))).toBe(1_700_000_000_000);
  expect(timeOfDelivery('dlv_none')).toBe(0);
});
