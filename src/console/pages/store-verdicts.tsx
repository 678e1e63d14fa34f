import {
  CHANGE_WORDS,
  DRIFT_WORDS,
  failureWords,
  failureWordsWithoutLive,
  pauseReason,
  saidWords,
  TROUBLE_WORDS,
  UPLOAD_WORDS,
  WAITING_WORDS,
} from '../../contract/plain-words';
import { reasonOf, When } from '../parts';
import { Verdict } from '../verdict';
import { Said, toneOfWait } from '../waits';
import type { StoreApp } from './store-app';
import { credentialOf } from './store-credential';
import type { StoreIntegration } from './stores';

/** What is the matter with a store in an app, what is tried now first. Nothing where all is well. */
export function Verdicts({ app }: { readonly app: StoreApp }) {
  const { integration, live, facts, waits } = app;
  const { problem } = credentialOf(app);
  return (
    <>
      {problem && <Verdict tone="bad" what="The service cannot sign in." words={problem} />}
      {facts.openId && <Open {...{ facts, waits }} />}
      {!facts.openId && <Ended facts={facts} isLive={live.upload_id !== null} />}
      {integration.paused && <Paused paused={integration.paused} />}
      {live.drift.state === 'changed' && (
        <Verdict
          tone="warn"
          what="The app no longer shows what was sent."
          words={DRIFT_WORDS.changed}
        />
      )}
    </>
  );
}

function Open({ facts, waits }: Pick<StoreApp, 'facts' | 'waits'>) {
  const upload = <a href={`/console/uploads/${facts.openId}`}>A new menu</a>;
  if (!waits) {
    const words = UPLOAD_WORDS[facts.openState ?? 'queued'];
    return (
      <Verdict
        tone="busy"
        what={
          <>
            {upload} was accepted <When at={facts.openAt} />.
          </>
        }
        words={words}
      />
    );
  }
  return (
    <Verdict
      tone={toneOfWait(waits)}
      what={
        <>
          {upload} waits since <When at={waits.since} />.
        </>
      }
      words={WAITING_WORDS[waits.reason]}
      said={<Said waits={waits} />}
    />
  );
}

/** The last upload that ended, where the app did not take all of it. */
function Ended({
  facts: { lastId, lastState, lastAt, lastMessages },
  isLive,
}: Pick<StoreApp, 'facts'> & { readonly isLive: boolean }) {
  if (lastState !== 'failed' && lastState !== 'partly_uploaded') return null;
  const messages = lastMessages ?? [];
  const reason = reasonOf(messages);
  // That guests still see what they saw before says nothing where that is nothing.
  const words = isLive ? failureWords(messages) : failureWordsWithoutLive(messages);
  const upload = <a href={`/console/uploads/${lastId}`}>The last menu</a>;
  return (
    <Verdict
      tone={lastState === 'failed' ? 'bad' : 'warn'}
      what={
        <>
          {upload} {lastState === 'failed' ? 'failed' : 'went live in part'} <When at={lastAt} />.
        </>
      }
      words={lastState === 'failed' ? words : UPLOAD_WORDS.partly_uploaded}
      said={reason && saidWords(reason)}
    />
  );
}

function Paused({ paused }: { readonly paused: NonNullable<StoreIntegration['paused']> }) {
  const isTold = paused.state === 'done';
  return (
    <Verdict
      tone="warn"
      what={
        <>
          The store is paused since <When at={paused.since} />
          {paused.until && <When at={paused.until} before=", until " />}.
        </>
      }
      words={TROUBLE_WORDS.paused}
      said={
        <>
          {pauseReason(paused.reason)}{' '}
          {!isTold && CHANGE_WORDS[paused.state as keyof typeof CHANGE_WORDS]?.means}{' '}
          {!isTold && paused.waiting_for && <Said waits={paused.waiting_for} />}
        </>
      }
    />
  );
}
