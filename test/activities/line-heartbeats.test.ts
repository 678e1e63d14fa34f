import { MockActivityEnvironment } from '@temporalio/testing';
import { createWebhookActivities } from '../../activities/webhook-activities';
import type { Drains } from '../../src/webhooks/drain/drains';
import type { LineHolding } from '../../src/webhooks/lines/line-report';

const LINE = 3;

const held = (deliveries: number): LineHolding => ({
  deliveries,
  hasMore: false,
  subscriptions: 1,
  paused: 0,
  disabled: 0,
  since: '2026-11-27T12:00:00.000Z',
});

/** Runs the activity of a line for so long; `holdingAt`: what the line holds, by seconds since its start. */
async function beatsOf(
  seconds: number,
  holdingAt: (second: number) => LineHolding | null,
): Promise<{ readonly second: number; readonly details: unknown }[]> {
  jest.useFakeTimers();
  const startedAt = performance.now();
  const second = (): number => Math.round((performance.now() - startedAt) / 1000);
  const ended = new Promise<void>((resolve) => setTimeout(resolve, seconds * 1000));
  const drains: Pick<Drains, 'drainLine' | 'holdingOf' | 'countActive'> = {
    async drainLine() {
      await ended;
      return { next: { kind: 'idle' }, attempts: 0, holding: null };
    },
    holdingOf: () => holdingAt(second()),
    countActive: second, // another number at each look
  };
  const activities = createWebhookActivities({ drains: drains as Drains });
  const environment = new MockActivityEnvironment();
  const beats: { second: number; details: unknown }[] = [];
  environment.on('heartbeat', (details: unknown) => beats.push({ second: second(), details }));
  await environment.run(async () => {
    const report = activities.drainLine(LINE);
    // Within the activity, because these timers take their context from here.
    await jest.advanceTimersByTimeAsync(seconds * 1000);
    return report;
  });
  return beats;
}

afterEach(() => jest.useRealTimers());

test('a drain whose line has no news sends a heartbeat at first and then once in 50 s', async () => {
  const seconds = (await beatsOf(300, () => null)).map((beat) => beat.second);
  expect(seconds).toEqual([10, 60, 110, 160, 210, 260]);
});

test('what a line holds is told within ten seconds after it has changed, as a change to nothing is', async () => {
  const beats = await beatsOf(105, (second) => {
    if (second < 15 || second >= 45) return null;
    return held(second < 35 ? 5 : 6);
  });
  expect(beats).toEqual([
    { second: 10, details: { subscriptions_at_work: 10, held: undefined } },
    { second: 20, details: expect.objectContaining({ held: expect.stringContaining('5 ') }) },
    { second: 40, details: expect.objectContaining({ held: expect.stringContaining('6 ') }) },
    { second: 50, details: { subscriptions_at_work: 50, held: undefined } },
    { second: 100, details: { subscriptions_at_work: 100, held: undefined } },
  ]);
});
