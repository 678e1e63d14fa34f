import type { MenuDocument, Price } from '../../menus/menu';
import type { EntityRef, LossBook } from '../losses';
import { indexMenu, type MenuIndex } from '../menu-index';
import { toLowestDenomination } from '../prices';
import type { TransformInput } from '../types';
import { findUsedEntities, type UsedEntities } from '../unused-entities';
import type { WireText } from './wire';

/** One menu on its way to App A: what is known about it, what gets lost, and how single values are written. */
export interface MenuTranslation {
  readonly document: MenuDocument;
  readonly index: MenuIndex;
  readonly used: UsedEntities;
  readonly losses: LossBook;
  readonly toText: (text: string) => WireText;
  /** As the app counts money; what it cannot take is entered as a loss of `item`. */
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
        // Written as null, which the app refuses: should the blocked menu be sent all the same, nobody sells at a guess.
        return Number.NaN;
      }
      if (amount > maximumPrice) {
        losses.add('price_over_maximum', item, `${amount} instead of ${maximumPrice}`);
      }
      return amount;
    },
  };
}
