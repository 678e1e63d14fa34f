import { failureWords, UPLOAD_WORDS } from '../../contract/plain-words';
import type { Loss } from '../../delivery-apps/types';
import { Page, type PageFrame } from '../page';
import { Action, Actions } from '../controls';
import { LossGroups } from '../loss-groups';
import { Integration, Store } from '../names';
import { Answer, Fields, spellTitle, State, Table, Text, Trace, When } from '../parts';
import { toneOfState, Verdict } from '../verdict';
import { WaitVerdict } from '../waits';
import type { Names } from '../sql/names';
import type { UploadEntry } from './uploads';

/** An upload as the API returns it at its own URL. */
export interface WholeUpload extends UploadEntry {
  readonly next_attempt_at: Date | null;
  readonly republished_from: string | null;
  readonly changed_from?: string;
  readonly rollout_id: string | null;
  readonly trace_url: string | null;
  readonly losses: readonly Loss[];
  readonly steps: readonly {
    readonly name: string;
    readonly state: string;
    readonly attempts: number;
    readonly started_at: string | null;
    readonly finished_at: string | null;
    readonly answer?: {
      readonly status: number | null;
      readonly error: string | null;
      readonly body: string | null;
    };
  }[];
}

/** Uploads in these states were live. The app shows nothing of any other, and it changed nothing. */
const WENT_LIVE: ReadonlySet<string> = new Set(['uploaded', 'partly_uploaded']);

export function UploadPage({
  frame,
  upload,
  names,
}: {
  readonly frame: PageFrame;
  readonly upload: WholeUpload;
  readonly names: Names;
}) {
  const path = `/console/uploads/${upload.upload_id}`;
  const formToken = frame.formTokenFor(upload);
  return (
    <Page frame={frame}>
      <Actions>
        <Action
          name="Publish again"
          question="The menu of this upload is sent to the delivery app again, as a new upload."
          path={`${path}/republish`}
          formToken={formToken}
        />
        {upload.finished_at === null && (
          <Action
            name="Cancel"
            question="The upload ends without being sent. What is live in the delivery app stays."
            path={`${path}/cancel`}
            formToken={formToken}
          />
        )}
        {WENT_LIVE.has(upload.state) && (
          <>
            <a href={`${path}/shown`}>What the app shows</a>
            <a href={`${path}/changes`}>What it changed</a>
          </>
        )}
        {!WENT_LIVE.has(upload.state) && (
          <a href={`${path}/changes?against=live`}>What it would change</a>
        )}
      </Actions>
      <UploadVerdict upload={upload} />
      <Fields
        fields={[
          ['State', <State key="state" name={upload.state} />],
          ['Store', <Store key="store" id={upload.store_id} names={names} />],
          ['Integration', <Integration key="at" id={upload.integration_id} names={names} />],
          ['Accepted', <When key="accepted" at={upload.created_at} />],
          ['Sent by', names.users.get(upload.user_id) ?? 'another user'],
          ['Ended', <When key="ended" at={upload.finished_at} />],
          ...linkField('Published again from', '/console/uploads', upload.republished_from),
          ...linkField('Single items changed of', '/console/uploads', upload.changed_from ?? null),
          ...linkField('Rollout', '/console/rollouts', upload.rollout_id),
          ...(upload.trace_url === null
            ? []
            : [['Trace', <Trace key="trace" url={upload.trace_url} />] as const]),
        ]}
      />
      {upload.waiting_for === null && upload.messages.length > 0 && (
        <section>
          <h2>What the app said</h2>
          <ul>
            {upload.messages.map((message, index) => (
              <li key={index}>{message}</li>
            ))}
          </ul>
        </section>
      )}
      <section>
        <h2>Steps</h2>
        <Table
          caption="Steps in their order"
          none="There are none."
          rows={upload.steps}
          columns={[
            { title: 'Step', cell: (step) => step.name },
            { title: 'State', cell: (step) => <State name={step.state} /> },
            { title: 'Attempts', as: 'number', cell: (step) => step.attempts },
            { title: 'Began', cell: (step) => <When at={step.started_at} /> },
            { title: 'Ended', cell: (step) => <When at={step.finished_at} /> },
            { title: 'Took', as: 'number', cell: tookOf },
            { title: 'HTTP status', cell: (step) => <Text>{step.answer?.status}</Text> },
            { title: 'Error', cell: (step) => <Text>{step.answer?.error}</Text> },
            {
              title: 'Answer',
              as: 'sentence',
              cell: (step) => <Answer text={step.answer?.body} />,
            },
          ]}
        />
      </section>
      <section>
        <h2>Losses</h2>
        <LossGroups
          losses={upload.losses}
          none={
            upload.state === 'uploaded'
              ? 'Nothing of the menu was lost on its way.'
              : 'No losses are known.'
          }
        />
      </section>
    </Page>
  );
}

/** Where the menu is, in a sentence with what to do. */
function UploadVerdict({ upload }: { readonly upload: WholeUpload }) {
  const { state, waiting_for: waits, messages } = upload;
  if (waits) return <WaitVerdict waits={waits} />;
  const words = state === 'failed' ? failureWords(messages) : UPLOAD_WORDS[state];
  return <Verdict tone={toneOfState(state)} what={`${spellTitle(state)}.`} words={words} />;
}

/** A field with a link to what an id names; none where there is no id. */
function linkField(name: string, path: string, id: string | null) {
  return id === null
    ? []
    : [
        [
          name,
          <a key={name} href={`${path}/${id}`}>
            {id}
          </a>,
        ] as const,
      ];
}

function tookOf({ started_at: from, finished_at: to }: WholeUpload['steps'][number]): string {
  return from && to ? `${Date.parse(to) - Date.parse(from)} ms` : '–';
}
