import { Registry } from 'prom-client';
import { createBounds } from '../../src/platform/admission/bound-metrics';
import { createPayloadBudget } from '../../src/webhooks/consumer/payload-budget';

const MB = 2 ** 20;

test('payloads get memory until it is used up, and again when some is returned', () => {
  const budget = createPayloadBudget(100_000, undefined);
  expect([budget.take(60_000), budget.take(30_000), budget.take(20_000)]).toEqual([
    true,
    true,
    false,
  ]);
  expect(budget.allows(10_000)).toBe(true);
  budget.give(30_000);
  expect(budget.take(20_000)).toBe(true);
});

test('large payloads leave a quarter for small ones', () => {
  const budget = createPayloadBudget(16 * MB, undefined);
  expect(budget.take(10 * MB)).toBe(true);
  expect(budget.take(2 * MB)).toBe(true);
  expect(budget.take(100_000)).toBe(false);
  expect(budget.take(60_000)).toBe(true);
});

test('a payload larger than the whole budget fits when nothing else is there', () => {
  const budget = createPayloadBudget(MB, undefined);
  expect(budget.take(1_000)).toBe(true);
  expect(budget.take(5 * MB)).toBe(false);
  budget.give(1_000);
  expect(budget.take(5 * MB)).toBe(true);
  expect(budget.take(1_000)).toBe(false);
  budget.give(5 * MB);
  expect(budget.take(1_000)).toBe(true);
});

test('a waiter for memory is woken once, when some is returned', () => {
  const budget = createPayloadBudget(MB, undefined);
  let woken = 0;
  const wake = () => (woken += 1);
  budget.take(MB);
  budget.onFree(wake);
  budget.onFree(wake);
  expect(woken).toBe(0);
  budget.give(MB);
  budget.take(10);
  budget.give(10);
  expect(woken).toBe(1);
});

test('it reports how full it is and how often a payload did not fit', async () => {
  const registry = new Registry();
  const budget = createPayloadBudget(MB, createBounds(registry));
  budget.take(1_000);
  budget.take(2 * MB);
  const text = await registry.metrics();
  expect(text).toContain('bound_used{bound="webhook_memory"} 1000');
  expect(text).toContain(`bound_limit{bound="webhook_memory"} ${MB}`);
  expect(text).toContain('bound_hits_total{bound="webhook_memory"} 1');
});
