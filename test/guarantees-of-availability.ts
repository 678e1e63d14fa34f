import type { Guarantee } from './guarantee';

/** What the service promises about items that are off sale and stores that are paused. */
export const AVAILABILITY_GUARANTEES: readonly Guarantee[] = [
  {
    promise:
      'An item that was taken off sale stays off through later menus, and no menu shows it on in between where the app has a field for it.',
    attack:
      'Menus are uploaded while an item is off; the simulated apps keep a timeline of what guests see.',
    proofs: [
      {
        file: 'test/availability/four-apps.test.ts',
        titles: ['a menu uploaded while an item is off sale never shows it on sale'],
      },
    ],
  },
  {
    promise: 'What has an end comes back by itself, also when every worker died meanwhile.',
    attack: 'The only worker is killed between `until` and its end, and another one starts later.',
    proofs: [
      {
        file: 'test/faults/availability.test.ts',
        titles: [
          'when every worker is killed before an `until`, the item comes back after one returns',
        ],
      },
    ],
  },
  {
    promise:
      'A caller is told that an item is off sale when the app has said so, and which items it refused.',
    attack:
      'Each of the four apps answers late, cut, with errors, with too many calls, with an expired token, or refuses one item of several.',
    proofs: [{ file: 'test/faults/availability.test.ts' }],
  },
];
