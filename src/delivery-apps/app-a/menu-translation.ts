import { amountOf, type MenuDocument, type Price } from '../../menus/menu';
import { ANY_LENGTH, fitTexts, type Texts } from '../fit-texts';
import type { EntityRef, LossBook } from '../losses';
import { indexMenu, type MenuIndex, type OfferedGroup } from '../menu-index';
import { digitsToInteger, hasCoin, toLowestDenomination } from '../prices';
import { optionPrices, splitGroups } from '../split-groups';
import type { TransformInput } from '../types';
import { findUsedEntities, type UsedEntities } from '../unused-entities';
import type { WireText } from './wire';

/** One menu being translated for App A: its facts, its losses, and how to write single values. */
export interface MenuTranslation {
  readonly document: MenuDocument;
  readonly locale: string;
  /** Of what the app offers. */
  readonly index: MenuIndex;
  /** Of what was sent. */
  readonly sent: MenuIndex;
  readonly used: UsedEntities;
  readonly losses: LossBook;
  /** Name and description of an entity; the latter is absent if it is empty. */
  readonly toTexts: (
    entity: Texts,
    ref: EntityRef,
  ) => { readonly title: WireText; readonly description?: WireText };
  /** In the app's unit of money; a price that it cannot take is reported as a loss of `item`. */
  readonly toPrice: (price: Price, item: EntityRef) => number;
}

export function createMenuTranslation(input: TransformInput, losses: LossBook): MenuTranslation {
  const { menu: document, store, maximumPrice = Number.POSITIVE_INFINITY } = input;
  const unitsOf = (value: string): number | null =>
    input.priceUnit === 'lowest'
      ? toLowestDenomination(value, store.currencyExponent)
      : digitsToInteger(value);
  const toText = (text: string): WireText => ({ translations: { [store.locale]: text } });
  const sent = indexMenu(document);
  // The app takes free units only of a group whose options all have one price.
  const hasOnePrice = (group: OfferedGroup) => new Set(optionPrices(group, sent)).size <= 1;
  const index = splitGroups(sent, { longestId: Number.POSITIVE_INFINITY, keeps: hasOnePrice });
  return {
    document,
    locale: store.locale,
    index,
    sent,
    used: findUsedEntities(document, index),
    losses,
    toTexts(entity, ref) {
      const { name, description } = fitTexts(losses, ref, entity, ANY_LENGTH);
      return { title: toText(name), ...(description && { description: toText(description) }) };
    },
    toPrice(price, item) {
      const value = amountOf(price);
      const amount = hasCoin(losses, item, value, store) ? unitsOf(value) : null;
      // Serialised as null, which the app refuses: if the blocked menu were sent by mistake, nothing would be sold at
      // a wrong price.
      if (amount === null) return Number.NaN;
      if (amount > maximumPrice) {
        losses.add('price_over_maximum', item, `${amount} instead of ${maximumPrice}`);
      }
      return amount;
    },
  };
}
