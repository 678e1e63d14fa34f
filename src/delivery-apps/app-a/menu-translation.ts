import { amountOf, type MenuDocument, type Price } from '../../menus/menu';
import { ANY_LENGTH, fitTexts } from '../fit-texts';
import type { EntityRef, LossBook } from '../losses';
import { indexMenu, type MenuIndex } from '../menu-index';
import { digitsToInteger, hasCoin, toLowestDenomination } from '../prices';
import type { TransformInput } from '../types';
import { findUsedEntities, type UsedEntities } from '../unused-entities';
import type { WireText } from './wire';

/** One menu being translated for App A: its facts, its losses, and how to write single values. */
export interface MenuTranslation {
  readonly document: MenuDocument;
  readonly index: MenuIndex;
  readonly used: UsedEntities;
  readonly losses: LossBook;
  /** Name and description of an entity; the latter is absent if it is empty. */
  readonly toTexts: (
    entity: { readonly name: string; readonly description?: string | null },
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
  const index = indexMenu(document);
  return {
    document,
    index,
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
