import type { WaitingFor, WaitingReason } from '../contract/why-it-waits';
import { Text, When } from './parts';

const WORDS: Readonly<Record<WaitingReason, string>> = {
  app_unavailable: 'The delivery app is away',
  app_busy: 'The delivery app asks to wait',
  token: 'Waits for a token of the delivery app',
  approval: 'Waits for people at the delivery app',
  earlier_menu: 'Waits for an earlier menu',
  image_host: 'Waits for the images',
  receiver_failing: 'The receiver fails',
  receiver_busy: 'The receiver asks to wait',
  paused: 'The receiver is paused',
  disabled: 'Disabled',
  our_side: 'The service has trouble of its own',
  temporal: 'Temporal cannot be reached',
  permit: 'Waits for a free place',
};

/** Why a row waits, as one sentence; what `otherwise` says if it does not. */
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
      {`${WORDS[waits.reason]}: ${waits.message.replace(/\.$/, '')}, since `}
      <When at={waits.since} />
      {waits.next_attempt_at && (
        <>
          {', next try '}
          <When at={waits.next_attempt_at} />
        </>
      )}
      .
    </>
  );
}
