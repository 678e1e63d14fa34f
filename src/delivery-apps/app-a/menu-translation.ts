import type { MenuDocument, Price } from '../../menus/menu';
import type { EntityRef, LossBook } from '../losses';
import { indexMenu, type MenuIndex } from '../menu-index';
import { toLowestDenomination } from '../prices';
import type { TransformInput } from '../types';
import { findUsedEntities, type UsedEntities } from '../unused-entities';
import type { WireText } from './wire';

/** One menu being translated for App A: its facts, its losses, and how to write single values. */
export interface MenuTranslation {
  readonly document: MenuDocument;
  readonly index: MenuIndex;
  readonly used: UsedEntities;
  readonly losses: LossBook;
  readonly toText: (text: string) => WireText;
  /** In the app's unit of money; a price that it cannot take is reported as a loss of `item`. */
  readonly toPrice: (price: Price, item: EntityRef) => number;
}

export function createMenuTranslation(input: TransformInput, losses: LossBook): MenuTranslation {
  const { menu: document, store, maximumPrice = Number.POSITIVE_INFINITY } = input;
  const exponent = input.priceUnit === 'lowest' ? store.currencyExponent : 2;
  const index = indexMenu(document);
  return {
    document,
    index,
    used: findUsedEntities(document, index),
    losses,
    toText: (text) => ({ translations: { [store.locale]: text } }),
    toPrice(price, item) {
      const amount = toLowestDenomination(price.value, exponent);
      if (amount === null) {
        losses.add('price_not_representable', item);
        // Serialised as null, which the app refuses: if the blocked menu were sent by mistake, nothing would be sold
        // at a wrong price.
        return Number.NaN;
      }
      if (amount > maximumPrice) {
        losses.add('price_over_maximum', item, `${amount} instead of ${maximumPrice}`);
      }
      return amount;
    },
  };
}
