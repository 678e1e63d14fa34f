import { saidWords, WAITING_WORDS } from '../contract/plain-words';
import type { WaitingFor } from '../contract/why-it-waits';
import { Text, When } from './parts';
import { type Tone, Verdict } from './verdict';

/** Why a row waits, as sentences; what `otherwise` says if it does not. */
export function Waits({
  waits,
  otherwise = null,
}: {
  readonly waits: WaitingFor | null;
  readonly otherwise?: string | null | undefined;
}) {
  if (waits === null) return <Text>{otherwise}</Text>;
  return (
    <>
      {WAITING_WORDS[waits.reason].means} <Said waits={waits} /> Since <When at={waits.since} />.
    </>
  );
}

/** How bad a wait is: what goes on by itself soon is no trouble. */
export function toneOfWait({ reason }: WaitingFor): Tone {
  const isByItself = ['permit', 'earlier_menu', 'image_host', 'approval'].includes(reason);
  return isByItself ? 'busy' : 'warn';
}

/** What was said last, how often it was tried, and when the next try is. */
export function Said({ waits }: { readonly waits: WaitingFor }) {
  const tries = waits.attempts === 1 ? 'Tried once' : `Tried ${waits.attempts} times`;
  return (
    <>
      {saidWords(waits.message)}
      {waits.attempts > 0 && ` ${tries}.`}
      {waits.next_attempt_at && (
        <>
          {' Next try '}
          <When at={waits.next_attempt_at} />.
        </>
      )}
    </>
  );
}

/** Why what the page is about waits, and what to do. */
export function WaitVerdict({ waits }: { readonly waits: WaitingFor }) {
  return (
    <Verdict
      tone={toneOfWait(waits)}
      what={
        <>
          It waits since <When at={waits.since} />.
        </>
      }
      words={WAITING_WORDS[waits.reason]}
      said={<Said waits={waits} />}
    />
  );
}
