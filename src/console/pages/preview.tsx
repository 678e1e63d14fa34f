import type { Shown } from '../../delivery-apps/shown';
import type { AppName, Loss } from '../../delivery-apps/types';
import { Page, type PageFrame } from '../page';
import { integrationWords } from '../names';
import { Fields, State } from '../parts';
import type { ProblemGroup } from '../problem-groups';
import { ProblemList } from './problem-list';
import { LossGroups } from '../loss-groups';
import type { PictureLink } from '../picture-links';
import { ShownMenu } from '../shown-menu';
import type { StoreEntry, StoreIntegration } from './stores';

/** The preview of a menu in one integration, as the API shows it. */
export interface PreviewResult {
  readonly integration_id: string;
  /** Null: there is no such integration. */
  readonly app: AppName | null;
  readonly acceptable: boolean;
  readonly messages: readonly string[];
  readonly losses: readonly Loss[];
  readonly payload_bytes: number | null;
  /** Null: nothing would be sent. */
  readonly shown: Shown | null;
}

/** The form as a person has filled it in. */
export interface PreviewForm {
  /** Ids of integrations. */
  readonly chosen: readonly string[];
  readonly text: string;
}

/** Items of all apps together; a longer page would not be read to its end. */
const MOST_ITEMS = 500;

/** The form for a preview, and its results: the menu as each app would show it. */
export function PreviewPage({
  frame,
  store,
  integrations,
  form,
  problems,
  results,
  pictureLink,
}: {
  readonly frame: PageFrame;
  readonly store: StoreEntry;
  readonly integrations: readonly StoreIntegration[];
  readonly form: PreviewForm;
  /** In the API's own sentences. */
  readonly problems: readonly ProblemGroup[];
  /** Null: the form was not sent yet, or the API refused it. */
  readonly results: readonly PreviewResult[] | null;
  readonly pictureLink: PictureLink;
}) {
  const mostItems = Math.ceil(MOST_ITEMS / Math.max(1, results?.length ?? 0));
  return (
    <Page frame={frame}>
      <p>
        Store <a href={`/console/stores/${store.id}`}>{store.name}</a>. Nothing is written, started
        or sent.
      </p>
      {problems.length > 0 && <ProblemList groups={problems} />}
      {results?.length === 0 && <p class="none">The store is connected to no delivery app.</p>}
      {results && results.length > 0 && (
        <div class="apps">
          {results.map((result) => (
            <Result
              key={result.integration_id}
              {...{ result, integrations, mostItems, pictureLink }}
            />
          ))}
        </div>
      )}
      <section>
        <h2>{results ? 'Another menu' : 'The menu'}</h2>
        <MenuForm
          path={`/console/stores/${store.id}/preview`}
          formToken={frame.formToken}
          {...{ integrations, form }}
        />
      </section>
    </Page>
  );
}

function MenuForm({
  path,
  formToken,
  integrations,
  form,
}: {
  readonly path: string;
  readonly formToken: string;
  readonly integrations: readonly StoreIntegration[];
  readonly form: PreviewForm;
}) {
  return (
    <form method="post" action={path} encType="multipart/form-data" class="preview">
      <input type="hidden" name="form_token" value={formToken} />
      <fieldset>
        <legend>Delivery apps</legend>
        {integrations.map(({ integration_id: id, ...name }) => (
          <label key={id} class="choice">
            <input
              type="checkbox"
              name="integration_ids"
              value={id}
              checked={form.chosen.includes(id)}
            />{' '}
            {integrationWords(id, name)}
          </label>
        ))}
        <p class="none">With none chosen, all that the store is connected to.</p>
      </fieldset>
      <label>
        A file with the JSON of the menu
        <input type="file" name="file" accept=".json,application/json" />
      </label>
      <label>
        Or the JSON itself
        <textarea name="menu" rows={12} spellcheck={false}>
          {form.text}
        </textarea>
      </label>
      <button type="submit">Show what the apps would show</button>
    </form>
  );
}

function Result({
  result,
  integrations,
  mostItems,
  pictureLink,
}: {
  readonly result: PreviewResult;
  readonly integrations: readonly StoreIntegration[];
  readonly mostItems: number;
  readonly pictureLink: PictureLink;
}) {
  const { integration_id: id, acceptable, messages, losses, shown } = result;
  const name = integrations.find((each) => each.integration_id === id);
  return (
    <section>
      <h2>{name ? integrationWords(id, name) : `Integration ${id}`}</h2>
      <Fields
        fields={[
          [
            'An upload',
            <State key="upload" name={acceptable ? 'would be taken' : 'would be refused'} />,
          ],
          ['Menus', shown?.menus.length ?? '–'],
          ['Items', shown?.items.length ?? '–'],
          ['Losses', losses.length],
          ['Bytes for the app', result.payload_bytes ?? '–'],
        ]}
      />
      {messages.length > 0 && (
        <ul>
          {messages.map((message, index) => (
            <li key={index}>{message}</li>
          ))}
        </ul>
      )}
      {shown ? (
        <ShownMenu {...{ shown, losses, mostItems, pictureLink }} level={3} />
      ) : (
        <LossGroups losses={losses} none="Nothing is known of what would be lost." />
      )}
    </section>
  );
}
