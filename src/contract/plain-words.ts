import type {
  CHANGE_STATES,
  DELIVERY_STATES,
  DRIFT_STATES,
  ITEM_STATES,
  MARK_SOURCES,
  REVERT_STATES,
  ROLLOUT_STATES,
  TARGET_STATES,
  UPLOAD_STATES,
} from '../../schemas/states';
import type { LossCode } from '../delivery-apps/types';
import type { WaitingReason } from './why-it-waits';

/*
 * Every state, reason and loss in the words of a help desk: what it means, and what to do next, for a person who has
 * never read the docs. The console, the docs and the runbook take them from here and nowhere else. A new state, reason
 * or loss does not compile until it has its words.
 */

export interface PlainWords {
  /** One sentence. */
  readonly means: string;
  /** One sentence, or null where there is nothing to do. */
  readonly todo: string | null;
}

type WordsOf<Name extends string> = Readonly<Record<Name, PlainWords>>;

const says = (means: string, todo: string | null = null): PlainWords => ({ means, todo });

/** For work that goes on by itself. */
const WAIT = 'Nothing; it goes on by itself.';
const TELL_OPERATOR = 'Tell whoever runs this service; the runbook says what to look at.';
const FIX_MENU = 'Change it in the POS and send the menu again.';
const NOT_SHOWN = 'Tell the restaurant that guests of this app do not see it.';

export const UPLOAD_WORDS: WordsOf<(typeof UPLOAD_STATES)[number]> = {
  queued: says('The menu was accepted and its turn has not come yet.', WAIT),
  running: says('The menu is on its way to the delivery app.', WAIT),
  uploaded: says(
    'The menu went live in the delivery app; guests see it until another takes its place.',
  ),
  partly_uploaded: says(
    'The menu went live, but the delivery app left some of its items out.',
    'Look at the messages: they name the items. Correct those in the POS and send the menu again.',
  ),
  failed: says(
    'The delivery app did not take this menu, so guests still see what they saw before.',
    'The messages say why. Correct that, then send the menu again or press “Publish again”.',
  ),
  superseded: says('A newer menu came before this one was sent, and took its place.'),
  canceled: says(
    'Somebody ended this upload before the delivery app had the menu.',
    'Send the menu again if guests should see it.',
  ),
};

const CREDENTIAL_REFUSED = says(
  'The delivery app refused the name and password with which the service signs in.',
  'Ask whoever runs this service to enter the app’s credentials again, then press “Publish again”.',
);
const NOT_SET_UP = says(
  'The delivery app is not set up for this service.',
  'Ask whoever runs this service to configure it.',
);

/** What a failed upload's first message asks for. The app's own words are the messages after it. */
const UPLOAD_FAILURES: readonly (readonly [start: string, PlainWords])[] = [
  ['Unable to get token.', CREDENTIAL_REFUSED],
  [
    'The menu could not be prepared in time.',
    says('The menu is too large to be prepared.', 'Send a smaller menu, and tell the POS company.'),
  ],
  [
    'The integration is no longer configured for this store.',
    says(
      'The store’s connection to the delivery app was taken away while the menu waited.',
      'Connect the store again, then press “Publish again”.',
    ),
  ],
  ['Something went wrong.', says('The service made a mistake of its own.', TELL_OPERATOR)],
];

/** What a failed upload means and asks for, by its first message. */
export function failureWords(messages: readonly string[]): PlainWords {
  const first = messages[0] ?? '';
  return UPLOAD_FAILURES.find(([start]) => first.startsWith(start))?.[1] ?? UPLOAD_WORDS.failed;
}

/** The same of a menu in a place where no other is live. */
export function failureWordsWithoutLive(messages: readonly string[]): PlainWords {
  const words = failureWords(messages);
  return words === UPLOAD_WORDS.failed ? TROUBLE_WORDS.nothing_live : words;
}

/** What the overview and the page of a store name where something is wrong that is no state of the API. */
export const TROUBLE_WORDS: WordsOf<
  | 'paused'
  | 'still_sold'
  | 'messages_wait'
  | 'sign_in_refused'
  | 'no_credentials'
  | 'switched_off'
  | 'not_set_up'
  | 'nothing_live'
  | 'rollout_in_part'
  | 'behind'
> = {
  paused: says(
    'Guests cannot order from the store in this app.',
    'When they should be able to again, press “Resume” on the app’s card of the store.',
  ),
  still_sold: says(
    'It should be off sale, and the delivery app still sells it as before.',
    'Its page says why. Send the change again, or make it in the delivery app’s own tablet.',
  ),
  messages_wait: says(
    'What the store told its stock systems has not reached them yet; nothing is lost.',
    'Each message says why it waits, and what to do.',
  ),
  sign_in_refused: CREDENTIAL_REFUSED,
  no_credentials: says(
    'The store has no credentials for this app, so nothing can be sent to it.',
    'Ask whoever runs this service to connect the store with its credentials.',
  ),
  switched_off: says(
    'The integration is switched off, so nothing is sent to the app and nothing is asked.',
    'Ask whoever runs this service to switch it on.',
  ),
  not_set_up: NOT_SET_UP,
  nothing_live: says(
    'The delivery app did not take this menu, and no other is live.',
    UPLOAD_WORDS.failed.todo,
  ),
  rollout_in_part: says(
    'Every store of the rollout has had its turn, and some did not get the menu.',
    'Show the stores that failed or were refused: each says why. Correct that, then send them the menu again.',
  ),
  behind: says('The service itself is behind with its work.', TELL_OPERATOR),
};

/** The words of an app, a receiver or a person in a sentence of ours. */
export function saidWords(said: string): string {
  return `It was said: ${quoted(said)}.`;
}

/** Why a store is paused, in the words of whoever paused it. */
export function pauseReason(reason: string | null): string {
  return reason === null ? 'No reason was given.' : `The reason given: ${quoted(reason)}.`;
}

/** Without its full stop, which the sentence around it has. */
function quoted(said: string): string {
  return `“${said.replace(/\.$/, '')}”`;
}

/** Why accepted work waits. */
export const WAITING_WORDS: WordsOf<WaitingReason> = {
  app_unavailable: says(
    'The delivery app does not answer, or answers with an error.',
    'Nothing; it is tried again for 24 hours. If other stores of the app wait too, the app is down.',
  ),
  app_busy: says('The delivery app asked us to come back later.', WAIT),
  token: says(
    'The service is signing in to the delivery app.',
    'If it takes longer than a minute, ask whoever runs this service to check the app’s credentials.',
  ),
  approval: says(
    'People at the delivery app are looking at the menu before they show it.',
    'Nothing here; if it is urgent, ask the delivery app’s own support.',
  ),
  earlier_menu: says('The delivery app is still working on an earlier menu of this store.', WAIT),
  image_host: says(
    'The pictures of the menu are being looked at, and their server is slow.',
    'Nothing; pictures that cannot be read are left out.',
  ),
  receiver_failing: says(
    'The stock system that should get this does not answer, or answers with an error.',
    'Nothing yet, it is kept and tried again. If it lasts, tell whoever runs that system what the last attempt says.',
  ),
  receiver_busy: says('The stock system asked us to come back later.', WAIT),
  paused: says(
    'The stock system failed many times in a row, so it is left alone for a while.',
    'Nothing is lost. Tell whoever runs that system what the last attempt says.',
  ),
  disabled: says(
    'Nothing is sent, because the connection is switched off.',
    'Find out on its page who switched it off and why, and have it switched on again.',
  ),
  our_side: says('The service has trouble of its own.', TELL_OPERATOR),
  temporal: says(
    'A part of the service is away; accepted work is kept and goes on when it is back.',
    TELL_OPERATOR,
  ),
  permit: says('Others are being served first, and this is next in line.', WAIT),
};

export const DELIVERY_WORDS: WordsOf<(typeof DELIVERY_STATES)[number]> = {
  pending: says('It has not reached the receiver yet.', WAIT),
  delivered: says('The receiver has it.'),
  acknowledged: says('The receiver has it and has confirmed it.'),
  refused: says(
    'The receiver got it and said no.',
    'Its message says why. Correct that in the POS or the stock system, then send it again.',
  ),
  exhausted: says(
    'The receiver did not take it in any of the attempts, and no more are made.',
    'When the receiver works again, press “Send again”.',
  ),
  discarded: says(
    'It was not sent, because its webhook or its link to the store ended.',
    'Register the webhook or link the store again if it should arrive, then press “Send again”.',
  ),
};

export const WEBHOOK_WORDS: WordsOf<'enabled' | 'paused' | 'disabled'> = {
  enabled: says('What happens is sent to this receiver.'),
  paused: says(
    'The receiver failed many times in a row and is tried again in a while; what waits is kept.',
    'Tell whoever runs the receiver what the last attempt says.',
  ),
  disabled: says(
    'Nothing is sent to this receiver.',
    'When it should get messages again, press “Enable”; what waits is sent then.',
  ),
};

export const WEBHOOK_DISABLED_WORDS: WordsOf<'gone' | 'failing' | 'manual' | 'owner_inactive'> = {
  gone: says(
    'The receiver said that its address is gone for good (410).',
    'Ask its owner for the new address and register that, then press “Enable”.',
  ),
  failing: says(
    'The receiver did not take a single message in five days.',
    'When its owner says that it works, press “Test”, then “Enable”.',
  ),
  manual: says('Its owner switched it off.', 'Ask the owner.'),
  owner_inactive: says(
    'The user who owns it is deactivated.',
    'Ask whoever runs this service to activate that user.',
  ),
};

/** Why an attempt of a webhook had no answer. */
export const ATTEMPT_ERROR_WORDS: WordsOf<string> = {
  timeout: says('The receiver did not answer in time.'),
  connect_refused: says('Nothing listens at the receiver’s address.'),
  connect_timeout: says('The receiver’s address did not react.'),
  connect_failed: says('The receiver’s address could not be reached.'),
  dns_failed: says('The receiver’s name is not known to the internet’s directory of names.'),
  tls_failed: says('The receiver’s certificate is not valid.'),
  address_not_allowed: says('The receiver’s name leads to an address inside a private network.'),
  reset: says('The receiver broke the connection off.'),
  closed_early: says('The receiver ended the connection before its answer was complete.'),
  invalid_response: says('What the receiver answered is no web answer.'),
  headers_too_large: says('The receiver’s answer has too large a head.'),
};

/** What a failed attempt of a webhook came to: the receiver's status, or why there was none. */
export function attemptWords(attempt: {
  readonly status: number | null;
  readonly error: string | null;
}): string {
  const { status, error } = attempt;
  if (error !== null) return ATTEMPT_ERROR_WORDS[error]?.means ?? `There was no answer: ${error}.`;
  if (status === null) return 'There was no answer.';
  return `The receiver answered with status ${status}${statusWords(status)}.`;
}

function statusWords(status: number): string {
  if (status < 300) return ', but only 204 confirms a stock movement';
  if (status < 400) return ', which leads to another address and is not followed';
  if (status === 401 || status === 403) return ': it does not let the service in';
  if (status === 404 || status === 410) return ': nothing is at its address';
  if (status === 429) return ': it asks to wait';
  return status < 500 ? ': it does not take the message' : ', an error of its own';
}

export const ROLLOUT_WORDS: WordsOf<(typeof ROLLOUT_STATES)[number]> = {
  running: says('The menu is being sent to one store after another.', WAIT),
  done: says('Every store of the rollout has had its turn.'),
  stopped: says(
    'Too many stores failed, so the rest did not get the menu.',
    'Look at what the failed ones say. Then start a new rollout for the rest, or bring the earlier menus back.',
  ),
  canceled: says('Somebody ended it; stores that had the menu already keep it.'),
  reverting: says('The menus of before are being brought back.', WAIT),
  reverted: says('The menus of before were brought back.'),
};

export const TARGET_WORDS: WordsOf<(typeof TARGET_STATES)[number]> = {
  ...UPLOAD_WORDS,
  waiting: says('The store’s turn has not come yet.', WAIT),
  refused: says('The menu breaks a rule for this store, so it was not sent.', FIX_MENU),
};

export const REVERT_WORDS: WordsOf<(typeof REVERT_STATES)[number]> = {
  waiting: says('The store’s turn has not come yet.', WAIT),
  reverted: says('The menu of before is live again.'),
  failed: says('The menu of before could not be brought back.', 'Look at its upload.'),
  not_live: says('This rollout’s menu was not live in the store, so nothing was brought back.'),
  without_previous: says('The store had no menu before, so nothing could be brought back.'),
};

/** States of a change: items on or off sale, a pause, special days. */
export const CHANGE_WORDS: WordsOf<(typeof CHANGE_STATES)[number]> = {
  queued: says('The delivery app has not been told yet.', WAIT),
  running: says('The delivery app is being told.', WAIT),
  done: says('The delivery app knows it.'),
  failed: says(
    'The delivery app was not told, or said no.',
    'The message says why. Do it again, or in the delivery app’s own tablet.',
  ),
  superseded: says('A newer change took its place.'),
};

export const ITEM_WORDS: WordsOf<(typeof ITEM_STATES)[number]> = {
  waiting: says('The delivery app has not been told yet, or its answer was lost.', WAIT),
  done: says('The delivery app knows it.'),
  failed: says(
    'The delivery app still sells it as before.',
    'The message says why. Send the change again, or make it in the delivery app’s own tablet.',
  ),
  superseded: says('A newer change took its place.'),
};

/** What keeps an item off sale. */
export const OFF_SALE_WORDS: WordsOf<(typeof MARK_SOURCES)[number]> = {
  api: says('The POS took it off sale.', 'Put it on sale again in the POS.'),
  stock: says('The stock system says that there is none left.', 'Correct the stock.'),
  season: says('It is outside the dates on which it is sold.', 'Change its dates in the menu.'),
};

/** Why guests do not see an item that somebody looks for, by what is known of the menus of its store. */
export const ITEM_SEARCH_WORDS: WordsOf<
  'not_in_menu' | 'nothing_live' | 'lost' | 'in_failed' | 'in_waiting'
> = {
  not_in_menu: says(
    'The menu that is live here has no such item.',
    'Put it into the menu in the POS and send the menu again.',
  ),
  nothing_live: says('No menu is live here.', 'Send a menu from the POS.'),
  lost: says(
    'The menu that is live was sent with it, and the app cannot show it.',
    'Below it stands why.',
  ),
  in_failed: says(
    'It is in a menu that the delivery app did not take.',
    'The page of that menu says why. Correct that, then send the menu again.',
  ),
  in_waiting: says('It is in a menu that is still on its way to the delivery app.', WAIT),
};

/** Whether the app still shows the live menu. */
export const DRIFT_WORDS: WordsOf<(typeof DRIFT_STATES)[number]> = {
  unknown: says('Nobody has compared it with the delivery app since it went live.'),
  same: says('The delivery app shows the menu as it was sent.'),
  changed: says(
    'Somebody changed the menu in the delivery app itself.',
    'Look at the differences; press “Publish again” if the menu of the POS is the right one.',
  ),
  unreadable: says('The delivery app did not show its menu when it was asked.', 'Read back later.'),
};

/** What each loss means for a guest, and what to do about it. */
export const LOSS_WORDS: WordsOf<LossCode> = {
  item_schedule_ignored: says(
    'The app shows these items at all hours of the menu, not only at their own.',
    'Take them off sale by hand outside their hours, or put them into a menu with those hours.',
  ),
  menu_schedule_ignored: says(
    'The app shows the menu at all hours at which the restaurant is open.',
    'Set the hours in the delivery app itself.',
  ),
  days_merged: says(
    'The app knows one set of hours for all days, so these are shown at times when they are not meant to be.',
    'Give them the same hours on every day, or set them in the delivery app itself.',
  ),
  promotion_price_ignored: says(
    'Guests of this app pay the full price, as the app has no promotions of this kind.',
    'Make the promotion in the delivery app itself.',
  ),
  promotion_price_invalid: says(
    'The promotion is hardly below the price, so guests pay the full price.',
    'Make it at least 1 % lower.',
  ),
  zero_price_refused: says('The app takes no items that cost nothing.', 'Give them a price.'),
  sold_for_nothing: says(
    'Guests can order these for nothing.',
    'Give them or one of their choices a price, unless that is what you want.',
  ),
  second_menu_refused: says(
    'The app takes one menu only.',
    'Put all categories into one menu and send it again.',
  ),
  option_quantity_ignored: says(
    'The app does not limit how often a guest takes one choice.',
    'Tell the kitchen that an order may have more of it.',
  ),
  tax_not_representable: says(
    'The app cannot show this tax.',
    'Check the tax of these in the delivery app itself.',
  ),
  available_late: says(
    'Once the app has approved the menu, these can be ordered for a moment before they are off sale.',
  ),
  season_by_timer: says('Outside their dates guests see these as sold out instead of not at all.'),
  group_quantity_cloned: says('The app has a copy of the choices; guests see no difference.'),
  free_quantity_split: says(
    'The app cannot give the first few choices for nothing by itself, so guests see them twice, free and at their price.',
    'Tell the restaurant how it looks.',
  ),
  item_price_conflict_in_menu: says(
    'An item has several prices in one menu, and the app takes one: the first is used.',
    'Give it the same price everywhere, or make it two items.',
  ),
  text_cut: says('The text is too long for the app and ends early.', 'Shorten it in the POS.'),
  name_empty: says('Nothing of the name can be shown by the app.', 'Give it a name of letters.'),
  markup_in_text: says(
    'The text has signs of a web page in it, which guests may see.',
    'Write it as plain text in the POS.',
  ),
  emoji_removed: says('The app shows no emoji, so the text is shown without.'),
  description_dropped: says('The app shows no description here.'),
  image_out_of_rules: says(
    'The app does not take this picture, so it is shown without.',
    'Use a picture that the message asks for.',
  ),
  image_not_checked: says(
    'The picture could not be looked at in time; the app may not show it.',
    'Check that the picture’s address opens in a browser.',
  ),
  short_hours: says('The app takes no hours under 60 minutes.', 'Make the hours longer.'),
  no_hours: says('It is sold at no hour of the week.', 'Give it hours, or leave it out.'),
  price_over_maximum: says(
    'The price is above what the app allows.',
    'Correct the price: often two zeros too many.',
  ),
  price_not_representable: says(
    'The price has more decimals than the currency.',
    'Round the price.',
  ),
  id_unsafe: says(
    'The id has a sign with which later changes in the app may fail.',
    'Use ids of letters, digits and dashes.',
  ),
  repeated_reference_dropped: says('The same thing stands here twice; the first is used.'),
  item_category_dropped: says(
    'The app shows an item in one category only: the first.',
    'Make a second item if guests should find it in both.',
  ),
  nested_groups_dropped: says(
    'The app cannot ask for choices within a choice, so guests cannot make them.',
    'Put those choices on the item itself.',
  ),
  required_choice_dropped: says(
    'The app cannot make guests choose here, so orders may come without it.',
    'Tell the kitchen to ask.',
  ),
  choice_impossible: says(
    'Guests must choose more than there is, so they cannot order these items.',
    'Put enough choices on sale, or ask for fewer.',
  ),
  option_cloned: says('The app has copies of this choice; guests see no difference.'),
  limit_exceeded: says('The app takes no more of these than the message says.', FIX_MENU),
  entity_unused: says('Nothing in the menu leads to it, so guests do not see it.'),
  integration_not_configured: NOT_SET_UP,
  detail_ignored: says('The app cannot show this detail.', NOT_SHOWN),
  unknown_field: says(
    'The menu has a field that the service does not know, and leaves out.',
    'Tell the POS company: it may be spelled differently.',
  ),
  losses_omitted: says('There are more of them than are listed.'),
};
