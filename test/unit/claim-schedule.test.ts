import { createClaimSchedule } from '../../src/webhooks/consumer/claim-schedule';

function begin() {
  return createClaimSchedule({ beganAt: 0, lingerMs: 3_000 });
}

function afterAnEmptyClaim() {
  const schedule = begin();
  schedule.claimBegins();
  return schedule;
}

test('a consumer starts with a claim', () => {
  expect(begin().isClaimTime(20, 0)).toBe(true);
});

test('after an empty claim it waits for an announcement', () => {
  const schedule = afterAnEmptyClaim();
  expect(schedule.isClaimTime(20, 2_000)).toBe(false);
  expect(schedule.expects()).toBe(false);
  schedule.expectMore();
  expect(schedule.isClaimTime(20, 500)).toBe(true);
  expect(schedule.expects()).toBe(true);
});

test('an announcement during a claim leads to another claim', () => {
  const schedule = begin();
  schedule.claimBegins();
  schedule.expectMore();
  expect(schedule.isClaimTime(20, 1)).toBe(true);
});

test('an announcement without a free permit waits until there is one', () => {
  const schedule = afterAnEmptyClaim();
  schedule.expectMore();
  expect(schedule.isClaimTime(0, 60_000)).toBe(false);
  expect(schedule.isClaimTime(1, 60_000)).toBe(true);
});

test('a retry is claimed when it is due, to the millisecond', () => {
  const schedule = afterAnEmptyClaim();
  schedule.expectIn(300, 100);
  schedule.expectIn(700, 100);
  expect(schedule.sleepMs(20, 100)).toBe(300);
  expect(schedule.isClaimTime(20, 399)).toBe(false);
  expect(schedule.isClaimTime(20, 400)).toBe(true);
});

test('due deliveries without a free permit cause no busy loop', () => {
  const schedule = afterAnEmptyClaim();
  schedule.expectIn(300, 0);
  expect(schedule.sleepMs(0, 400)).toBe(1_000);
});

test('without anything due it sleeps until its linger time is over, and then checks once a second', () => {
  const schedule = afterAnEmptyClaim();
  expect(schedule.sleepMs(20, 500)).toBe(2_501);
  expect(schedule.mayEnd(3_001)).toBe(true);
  expect(schedule.sleepMs(20, 3_001)).toBe(1_000);
  schedule.expectIn(300, 3_001);
  expect(schedule.sleepMs(20, 3_001)).toBe(300);
});

test('it ends after its linger time, or waits for a retry that is due soon', () => {
  const schedule = afterAnEmptyClaim();
  expect(schedule.mayEnd(3_000)).toBe(false);
  expect(schedule.mayEnd(3_001)).toBe(true);
  schedule.expectIn(6_000, 3_001);
  expect(schedule.mayEnd(3_001)).toBe(false);
  schedule.claimBegins();
  schedule.worked(3_002);
  schedule.expectIn(60_000, 3_002);
  expect(schedule.mayEnd(6_000)).toBe(false);
  expect(schedule.mayEnd(6_003)).toBe(true);
});
