import { ALLERGENS, DIETS, type ItemDetails } from '../../src/menus/details';
import type { Random } from './random';

/** Some of what can be known of an item, in all spellings. `items` are ids that a bundle may name. */
export function randomDetails(random: Random, items: readonly string[]): ItemDetails {
  const chance = (percent: number) => random(100) < percent;
  const pick = <Value>(values: readonly Value[]): Value => values[random(values.length)] as Value;
  const some = <Value>(values: readonly Value[]): Value[] => values.filter(() => chance(20));
  const members: ItemDetails = {
    tax: {
      rate: pick(['1600', '0', '800', '01600', '2100']),
      ...pick([{}, { included: true }, { included: null }, { included: false }]),
      ...pick([{}, { excise_rate: null }, { excise_rate: '800' }, { excise_rate: '15000' }]),
    },
    tax_labels: pick([['CAT_FOOD'], ['CAT_ALCOHOL', 'TEMP_COLD']]),
    alcohol: {
      units: pick(['0', '1', '2']),
      ...pick([{}, { by_volume: '450' }, { by_volume: '' }]),
    },
    serves_alone: chance(50),
    allergens: some(ALLERGENS),
    diets: some(DIETS),
    calories: pick([{}, { from: '250' }, { to: '300' }, { from: '250', to: '300' }]),
    barcode: pick(['4006381333931', '96385074', '']),
    bundled_items: [
      { item_external_id: pick(items), quantity: String(1 + random(3)) },
      ...(chance(20) ? [{ item_external_id: pick(items), quantity: '1' }] : []),
    ],
    deposit: { value: String(100 * (1 + random(5))) },
  };
  const kept = Object.entries(members).flatMap(([name, value]) =>
    chance(30) ? [[name, value]] : chance(5) ? [[name, null]] : [],
  );
  return Object.fromEntries(kept) as ItemDetails;
}
