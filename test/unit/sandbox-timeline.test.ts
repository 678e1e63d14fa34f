import { createStoreStates } from '../../dev/sandbox/store-states';

const BEGIN = Date.parse('2026-05-04T10:00:00Z');
const LATER = BEGIN + 60_000;

/** The states of stores whose menus have the items 1 and 2, and what their timeline says of one. */
function openStore() {
  let now = BEGIN;
  const states = createStoreStates(() => now, {
    keepsOff: true,
    offIn: () => [],
    itemIds: () => new Set(['1', '2']),
  });
  return {
    states,
    goTo: (at: number) => (now = at),
    seen: () =>
      states.timeline('s').map(({ cause, off, paused }) => [cause, off.join(), paused] as const),
  };
}

test('a timeline has one entry for each change of what guests see, and none for what is so already', () => {
  const { states, seen } = openStore();
  states.switchItems('s', [{ id: '1', until: null }], []);
  states.switchItems('s', [{ id: '1', until: LATER }], ['2']);
  states.switchItems('s', [{ id: '2', until: BEGIN - 1 }], []);
  states.pause('s', { paused: true, until: null, reason: null });
  states.pause('s', { paused: true, until: LATER, reason: 'busy' });
  states.pause('s', { paused: false, until: null, reason: null });
  states.pause('s', { paused: false, until: null, reason: null });
  expect(seen()).toEqual([
    ['availability', '1', false],
    ['pause', '1', true],
    ['pause', '1', false],
  ]);
});

test('what changed nothing to see still counts: its end is another', () => {
  const { states, goTo, seen } = openStore();
  states.switchItems('s', [{ id: '1', until: null }], []);
  states.switchItems('s', [{ id: '1', until: LATER }], []);
  goTo(LATER);
  expect(seen()).toEqual([
    ['availability', '1', false],
    ['until', '', false],
  ]);
  expect(states.shown('s').off).toEqual([]);
});
