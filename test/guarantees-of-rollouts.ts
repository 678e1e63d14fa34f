import type { Guarantee } from './guarantee';

/** The promises about rollouts. */
export const ROLLOUT_GUARANTEES: readonly Guarantee[] = [
  {
    promise:
      'Each target of a rollout ends once, in the state that its app shows, and reverting the rollout shows the previous menus again.',
    attack:
      'Fifty targets, some in an app that refuses, while workers are killed in the rollout and in its revert; stores that are deleted or lost meanwhile.',
    proofs: [
      {
        file: 'test/faults/rollouts.test.ts',
        titles: [
          'fifty targets end once each while workers are killed, and are reverted',
          'a target lost since the rollout was accepted is refused when it would start',
        ],
      },
    ],
  },
  {
    promise:
      'A target has its place in the queue of its store from the moment its rollout is accepted: an upload or a rollout that is accepted later wins, over a revert too.',
    attack: 'Uploads and a second rollout that arrive while a target is held or is being reverted.',
    proofs: [
      {
        file: 'test/faults/rollouts.test.ts',
        titles: [
          'an upload accepted after the rollout wins, and its target ends without a push',
          'of two rollouts the one accepted later wins on common targets',
        ],
      },
      {
        file: 'test/db/rollout-reverts.test.ts',
        titles: [
          'a menu that another rollout has held since before the revert does not keep a target from being reverted, one that waits does',
          'a menu that is accepted after a target was listed is not replaced by the revert',
        ],
      },
    ],
  },
];
