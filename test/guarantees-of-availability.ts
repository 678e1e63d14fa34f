import type { Guarantee } from './guarantee';

/** The promises about items off sale and paused stores. */
export const AVAILABILITY_GUARANTEES: readonly Guarantee[] = [
  {
    promise:
      'An item taken off sale stays off through later menus, and if the app has a field for it, no menu shows it on sale in between.',
    attack:
      'Menus are uploaded while an item is off; the simulated apps keep a timeline of what guests see.',
    proofs: [
      {
        file: 'test/availability/every-app.test.ts',
        titles: ['a menu uploaded while an item is off sale never shows it on sale'],
      },
    ],
  },
  {
    promise: 'An item with an `until` comes back by itself, even if every worker died meanwhile.',
    attack: 'The only worker is killed before an `until`, and another one starts later.',
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
      'A caller is told that an item is off sale only when the app has confirmed it, and which items it refused.',
    attack:
      'Each of the four apps answers late, cut, with errors, with too many calls, with an expired token, or refuses one item of several.',
    proofs: [{ file: 'test/faults/availability.test.ts' }],
  },
];
