import { NAMED_ITEMS } from './sql/timeline-facts';
import type {
  ChangeFacts,
  DeliveryFacts,
  FindingFacts,
  RolloutFacts,
  UploadFacts,
} from './sql/timeline-facts';

/* One plain sentence for each thing that happened, for somebody at a help desk. */

/** The title of an upload, by its state. */
export function titleOfUpload({ state, integration, messages, isChange }: UploadFacts): string {
  const menu = isChange ? 'change of items' : 'menu';
  switch (state) {
    case 'queued':
      return `A ${menu} waits to be sent to ${integration}`;
    case 'running':
      return `A ${menu} is on its way to ${integration}`;
    case 'uploaded':
      return `The ${menu} went live in ${integration}`;
    case 'partly_uploaded':
      return `The ${menu} went live in ${integration}, but not all of it${because(messages)}`;
    case 'failed':
      return `The ${menu} did not go live in ${integration}${because(messages)}`;
    case 'superseded':
      return `The ${menu} for ${integration} was replaced by a newer one`;
    case 'canceled':
      return `The ${menu} for ${integration} was canceled`;
  }
}

/** The title of a rollout to the store. Whether its menu went live there, the upload beside it says. */
export function titleOfRollout({ isRevert }: RolloutFacts): string {
  return isRevert
    ? 'A rollout to this store was told to bring the earlier menu back'
    : 'A rollout to this store was started';
}

/** The title of a change of items, of special days, or of whether the store takes orders. */
export function titleOfChange(change: ChangeFacts, timeZone: string | null): string {
  switch (change.kind) {
    case 'items':
      return titleOfItems(change, timeZone);
    case 'pause':
      return titleOfPause(change, timeZone);
    case 'special_days': {
      const subject = { words: 'The special days', isPlural: true };
      return `${inState(change, subject, SET)} in ${change.integration}${endOf(change)}`;
    }
  }
}

/** What becomes of something: what it is once that is done, and what is done to it. */
interface Wanted {
  readonly is: string;
  readonly be: string;
}

const SET: Wanted = { is: 'set', be: 'set' };
const OFF: Wanted = { is: 'off sale', be: 'taken off sale' };
const ON: Wanted = { is: 'back on sale', be: 'put back on sale' };
const BOTH: Wanted = { is: 'switched on or off', be: 'switched on or off' };
const PAUSED: Wanted = { is: 'paused', be: 'paused' };
const RESUMED: Wanted = { is: 'open for orders again', be: 'opened for orders again' };

function titleOfItems(change: ChangeFacts, timeZone: string | null): string {
  const { items, itemCount, integration } = change;
  const named = items.map(({ external_id }) => external_id).join(', ');
  const isPlural = itemCount !== 1;
  const more = itemCount > NAMED_ITEMS ? ' and more' : '';
  const words = isPlural ? `${itemCount} items (${named}${more})` : `Item ${named}`;
  const [first] = items;
  const isMixed = items.some(({ available }) => available !== first?.available);
  const wanted = isMixed ? BOTH : first?.available ? ON : OFF;
  const until = !isPlural && first?.until ? untilThen(new Date(first.until), timeZone) : '';
  return `${inState(change, { words, isPlural }, wanted)} in ${integration}${until}${causeOf(change)}${endOf(change)}`;
}

function titleOfPause(change: ChangeFacts, timeZone: string | null): string {
  const { paused, until, reason, integration, state } = change;
  const subject = { words: 'The store', isPlural: false };
  if (!paused) {
    return `${inState(change, subject, RESUMED)} in ${integration}${causeOf(change)}${endOf(change)}`;
  }
  const end = until === null ? '' : untilThen(until, timeZone);
  const why = reason === null || state === 'failed' ? '' : `: ${reason}`;
  return `${inState(change, subject, PAUSED)} in ${integration}${end}${why}${endOf(change)}`;
}

/** `Item I1 is off sale`, or as far as that has come. */
function inState(
  { state }: ChangeFacts,
  { words, isPlural }: { readonly words: string; readonly isPlural: boolean },
  { is, be }: Wanted,
): string {
  switch (state) {
    case 'queued':
    case 'running':
      return `${words} ${isPlural ? 'are' : 'is'} to be ${be}`;
    case 'done':
      return `${words} ${isPlural ? 'are' : 'is'} ${is}`;
    case 'failed':
      return `${words} could not be ${be}`;
    case 'superseded':
      return `${words} ${isPlural ? 'were' : 'was'} to be ${be}`;
  }
}

function causeOf({ cause }: ChangeFacts): string {
  switch (cause) {
    case 'stock':
      return ', by its stock';
    case 'until':
      return ', as the time has passed';
    case 'season':
      return ', by its season';
    case 'setting':
      return ', as stock does not decide any more';
    case 'api':
      return '';
  }
}

function endOf({ state, messages }: ChangeFacts): string {
  if (state === 'superseded') return ', and a newer change took its place';
  if (messages.length === 0) return '';
  // One that is done may have a consequence, such as a dish without enough choices.
  if (state === 'done') return `. ${joined(messages)}`;
  return state === 'failed' ? `: ${joined(messages)}` : '';
}

/** More are not told in a title. */
const TOLD = 3;

/** Several sentences on one line; those about ids and of apps have no full stop of their own. */
function joined(messages: readonly string[]): string {
  if (messages.length === 1) return messages.join('');
  const told = messages.slice(0, TOLD).map((each) => (/[.!?]$/.test(each) ? each : `${each}.`));
  const left = messages.length - told.length;
  return [...told, ...(left > 0 ? [`And ${left} more.`] : [])].join(' ');
}

/** The title of what a reading of the live menu found. */
export function titleOfFinding({ state, integration, changesCount }: FindingFacts): string {
  if (state === 'same') return `${integration} shows the menu as it was sent again`;
  const count =
    changesCount === null
      ? ''
      : ` (${changesCount} ${changesCount === 1 ? 'difference' : 'differences'})`;
  return `${integration} shows another menu than was sent${count}`;
}

/** The title of a delivery that failed; `knowsSystem`: whether the viewer may know the system's name. */
export function titleOfDelivery(delivery: DeliveryFacts, knowsSystem: boolean): string {
  const { state, type, externalId, systemName, attemptsMade, message } = delivery;
  const system = knowsSystem && systemName !== null ? systemName : 'an inventory system';
  const of = externalId ? ` of ${externalId}` : '';
  const webhook = type === 1 ? 'A webhook with item data' : `A webhook with a stock movement${of}`;
  const said = message === null ? '' : `: ${message}`;
  if (state === 'refused') return `${webhook} was refused by ${system}${said}`;
  if (state === 'discarded') return `${webhook} for ${system} was discarded`;
  const attempts = `${attemptsMade} ${attemptsMade === 1 ? 'attempt' : 'attempts'}`;
  return `${webhook} for ${system} was given up after ${attempts}${said}`;
}

/** The app's own reason, if there is one: it comes after our sentence that something failed. */
function because(messages: readonly string[]): string {
  const reason = messages[1] ?? messages[0];
  return reason === undefined ? '' : `: ${reason}`;
}

/** ` until 12:00 on 29 November`, by the clock of the store; of a store without one, by UTC. */
function untilThen(moment: Date, timeZone: string | null): string {
  const zone = { timeZone: timeZone ?? 'UTC' };
  const time = moment.toLocaleTimeString('en-GB', { ...zone, hour: '2-digit', minute: '2-digit' });
  const day = moment.toLocaleDateString('en-GB', { ...zone, day: 'numeric', month: 'long' });
  return ` until ${time}${timeZone === null ? ' UTC' : ''} on ${day}`;
}
