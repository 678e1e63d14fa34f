import type { Config } from '../platform/config/config';
import type { TransformInput } from './types';

/** The settings that decide how the apps' transforms write a menu. */
export type TransformSettings = Pick<
  Config,
  'APP_A_MAXIMUM_PRICE' | 'APP_A_PRICE_UNIT' | 'APP_C_LEVELS' | 'APP_D_PRICE_UNIT'
>;

/** The part of a transform's input that the settings decide: the same for uploads and previews. */
export function inputOfSettings(
  settings: TransformSettings,
): Pick<TransformInput, 'priceUnit' | 'levels' | 'appDPriceUnit' | 'maximumPrice'> {
  const { APP_A_MAXIMUM_PRICE: maximumPrice } = settings;
  return {
    priceUnit: settings.APP_A_PRICE_UNIT,
    levels: settings.APP_C_LEVELS,
    appDPriceUnit: settings.APP_D_PRICE_UNIT,
    ...(maximumPrice !== null && { maximumPrice }),
  };
}
