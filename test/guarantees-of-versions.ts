import type { Guarantee } from './guarantee';
import { ROLLOUT_GUARANTEES } from './guarantees-of-rollouts';

/** The promises about stored menus and rollouts. */
export const VERSION_GUARANTEES: readonly Guarantee[] = [
  {
    promise:
      'Every accepted menu can be read as it was sent, and published again, while it is live, was the previous live one, or is within its retention.',
    attack:
      'Menus with unknown members; stores, apps and credentials that are gone; retention when every upload has expired.',
    proofs: [
      { file: 'test/api-contract/versions.test.ts' },
      {
        file: 'test/db/uploads.test.ts',
        titles: [
          'removes uploads that ended long ago, but never what is live or was live before it, and then their documents',
        ],
      },
    ],
  },
  {
    promise:
      'The next reading detects a menu that was changed in a readable delivery app, with its changes, and reports it once.',
    attack:
      'Menus that are replaced or removed in the simulator, apps that do not answer, menus of our own that are shown before their upload has ended or go live during the reading; random menus, which read back as they were pushed.',
    proofs: [
      { file: 'test/api-contract/live-check.test.ts' },
      { file: 'test/delivery-apps/app-a.test.ts' },
      { file: 'test/delivery-apps/app-c.test.ts' },
      { file: 'test/delivery-apps/app-d.test.ts' },
      { file: 'test/e2e/drift.test.ts' },
      { file: 'test/db/drift-checks.test.ts' },
    ],
  },
  {
    promise:
      'An upload is canceled only where the app cannot show it: it waits, and each of its pushes was answered.',
    attack:
      'An app that is away, an app whose answer is lost, callers that wait, and a second cancel.',
    proofs: [
      {
        file: 'test/api-contract/versions.test.ts',
        titles: [
          'an upload that waits for an app is canceled, and keeps what the app said',
          'an upload whose push was not answered cannot be canceled: the app may show it',
        ],
      },
      {
        file: 'test/activities/upload-cancel.test.ts',
        titles: [
          'an upload is canceled when the app answered each of its pushes, not when one was refused after another without an answer',
          'an upload whose worker died during a push cannot be canceled when the next push is refused',
        ],
      },
    ],
  },
  ...ROLLOUT_GUARANTEES,
];
