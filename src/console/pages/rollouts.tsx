import { ROLLOUT_WORDS, TARGET_WORDS } from '../../contract/plain-words';
import { ROLLOUT_STATES, TARGET_STATES } from '../../../schemas/states';
import type { RevertCounts, RolloutState, TargetCounts, TargetState } from '../../rollouts/rollout';
import { Page, type PageFrame } from '../page';
import { Action, Actions, byState, Filter, Links, NextPage } from '../controls';
import { Integration, Store } from '../names';
import { Fields, IdLink, reasonOf, spellTitle, State, Table, Terms, Trace, When } from '../parts';
import { rolloutOutcome } from '../rollout-outcome';
import { type Tone, toneOfState, Verdict } from '../verdict';
import type { WaitingFor } from '../../contract/why-it-waits';
import { Waits } from '../waits';
import type { Names } from '../sql/names';

/** A rollout as the API shows it. */
export interface RolloutEntry {
  readonly rollout_id: string;
  readonly state: RolloutState;
  readonly parallel: number;
  readonly stop_after_failures: number;
  readonly created_at: Date;
  readonly finished_at: Date | null;
  readonly counts: TargetCounts;
  readonly revert: RevertCounts | null;
}

/** A target of a rollout. */
export interface TargetEntry {
  readonly store_id: number | string;
  readonly integration_id: string;
  readonly state: TargetState;
  readonly upload_id: string | null;
  readonly waiting_for: WaitingFor | null;
  readonly messages: readonly string[];
  readonly live: boolean;
}

export function RolloutsPage({
  frame,
  rollouts,
  filter,
  nextCursor,
}: {
  readonly frame: PageFrame;
  readonly rollouts: readonly RolloutEntry[];
  readonly filter: Readonly<Record<string, string>>;
  readonly nextCursor: string | null | undefined;
}) {
  return (
    <Page frame={frame}>
      <Filter path="/console/rollouts" fields={[byState(ROLLOUT_STATES)]} filter={filter} />
      <Terms words={ROLLOUT_WORDS} />
      <Table
        caption="Rollouts, newest first"
        none="There are none."
        rows={rollouts}
        columns={[
          {
            title: 'Rollout',
            cell: (row) => <IdLink path="/console/rollouts" id={row.rollout_id} />,
          },
          { title: 'State', cell: (row) => <RolloutWord of={row} /> },
          { title: 'Targets', cell: (row) => wordsOf(row.counts) },
          { title: 'Began', cell: (row) => <When at={row.created_at} /> },
          { title: 'Ended', cell: (row) => <When at={row.finished_at} /> },
        ]}
      />
      <NextPage
        path="/console/rollouts"
        csv="/console/rollouts.csv"
        filter={filter}
        cursor={nextCursor}
      />
    </Page>
  );
}

export function RolloutPage({
  frame,
  rollout,
  targets,
  names,
  filter,
  traceUrl,
  nextCursor,
}: {
  readonly frame: PageFrame;
  readonly rollout: RolloutEntry;
  readonly targets: readonly TargetEntry[];
  readonly names: Names;
  readonly filter: Readonly<Record<string, string>>;
  readonly traceUrl: string | null;
  readonly nextCursor: string | null | undefined;
}) {
  const path = `/console/rollouts/${rollout.rollout_id}`;
  const { state, words } = rolloutOutcome(rollout);
  return (
    <Page frame={frame}>
      <RolloutActions rollout={rollout} path={path} formToken={frame.formTokenFor(rollout)} />
      <Verdict tone={toneOfRollout(rollout)} what={`${spellTitle(state)}.`} words={words} />
      <Failures {...{ rollout, path }} />
      <Fields
        fields={[
          ['Targets', wordsOf(rollout.counts)],
          ['Taken back', rollout.revert ? wordsOf(rollout.revert) : '–'],
          ['At once', rollout.parallel],
          ['Stops after failures', rollout.stop_after_failures || 'never'],
          ['Began', <When key="began" at={rollout.created_at} />],
          ['Ended', <When key="ended" at={rollout.finished_at} />],
          ['Trace', <Trace key="trace" url={traceUrl} />],
        ]}
      />
      <section>
        <h2>Targets</h2>
        <Filter path={path} fields={[byState(TARGET_STATES)]} filter={filter} />
        <Terms words={TARGET_WORDS} />
        <Table
          caption="Targets in the order in which they were sent"
          none="There are none."
          rows={targets}
          columns={[
            {
              title: 'Store',
              cell: (row) => <Store id={row.store_id} names={names} />,
            },
            {
              title: 'Integration',
              cell: (row) => <Integration id={row.integration_id} names={names} />,
            },
            { title: 'State', cell: (row) => <State name={row.state} /> },
            { title: 'Still live', cell: (row) => (row.live ? 'yes' : 'no') },
            {
              title: 'Upload',
              cell: ({ upload_id: id }) => (id ? <IdLink path="/console/uploads" id={id} /> : '–'),
            },
            {
              title: 'What was said',
              as: 'sentence',
              cell: (row) => <Waits waits={row.waiting_for} otherwise={reasonOf(row.messages)} />,
            },
          ]}
        />
        <NextPage path={path} csv={`${path}/targets.csv`} filter={filter} cursor={nextCursor} />
      </section>
    </Page>
  );
}

/** The lists of the stores that did not get the menu. */
function Failures({
  rollout: { counts },
  path,
}: {
  readonly rollout: RolloutEntry;
  readonly path: string;
}) {
  const states = (['failed', 'refused'] as const).filter((state) => counts[state] > 0);
  if (states.length === 0) return null;
  return (
    <Links
      to={states.map((state) => [
        `${path}?state=${state}`,
        `Those that ${state === 'failed' ? 'failed' : 'were refused'}`,
      ])}
    />
  );
}

/** The state in words, with how many stores it is not true of. */
export function RolloutWord({ of: rollout }: { readonly of: RolloutResult }) {
  return <State name={rolloutOutcome(rollout).state} tone={toneOfRollout(rollout)} />;
}

type RolloutResult = Pick<RolloutEntry, 'state' | 'counts' | 'revert'>;

function toneOfRollout(rollout: RolloutResult): Tone {
  return rolloutOutcome(rollout).hasFailures ? 'warn' : toneOfState(rollout.state);
}

function RolloutActions({
  rollout,
  path,
  formToken,
}: {
  readonly rollout: RolloutEntry;
  readonly path: string;
  readonly formToken: string | null;
}) {
  if (rollout.state === 'reverting' || rollout.state === 'reverted') return null;
  return (
    <Actions formToken={formToken}>
      {rollout.state === 'running' ? (
        <Action
          name="Cancel"
          question="Targets that have not begun end canceled. What is live already stays."
          path={`${path}/cancel`}
          formToken={formToken}
        />
      ) : (
        <Action
          name="Take back"
          question="Where this menu is still live, the menu that was live before is published again. This can be done once."
          path={`${path}/revert`}
          formToken={formToken}
        />
      )}
    </Actions>
  );
}

/** The states that occur, each with its number of targets. */
function wordsOf(counts: Readonly<Record<string, number>>): string {
  const parts = Object.entries(counts).filter(([, count]) => count > 0);
  return parts.map(([state, count]) => `${count} ${state.replaceAll('_', ' ')}`).join(', ') || '–';
}
