import { createHash } from 'node:crypto';
import { transformForAppB } from '../../src/delivery-apps/app-b/transform';
import { sizedMenu } from '../../test/support/sized-menu';

/**
 * A menu of which every upload is another one, at the cost of copying its bytes: a number in the menu's name is
 * exchanged. Equal menus would be stored once, and read from the worker's memory from the second upload on.
 */
export interface NumberedMenu {
  readonly bytes: number;
  /** The request for upload `number`. */
  body(number: number, storeId: number, integrationId: number): Buffer;
  /** SHA-256 (hex) of what App B has to be sent for it. */
  payloadSha256(number: number): string;
}

const SEED = 20_261_101;
const WIDTH = 9;
const PLACE = '#'.repeat(WIDTH);

export function numberedMenu(entities: number): NumberedMenu {
  const plain = sizedMenu(entities, SEED);
  const menus = plain.menus.map((menu) => ({ ...menu, name: `Carta ${PLACE}` }));
  const menu = { ...plain, menus };
  const request = splitAtPlace(JSON.stringify(menu).slice(1));
  const { payload } = transformForAppB({
    menu,
    store: { appStoreId: '', currencyExponent: 2, locale: 'es_mx' },
  });
  const wire = splitAtPlace(JSON.stringify(payload));
  return {
    bytes: request.before.length + WIDTH + request.after.length,
    body: (number, storeId, integrationId) =>
      Buffer.concat([
        Buffer.from(`{"store_id":${storeId},"integration_id":"${integrationId}",`),
        request.before,
        Buffer.from(numberText(number)),
        request.after,
      ]),
    payloadSha256: (number) =>
      createHash('sha256')
        .update(wire.before)
        .update(numberText(number))
        .update(wire.after)
        .digest('hex'),
  };
}

function numberText(number: number): string {
  return String(number).padStart(WIDTH, '0');
}

function splitAtPlace(text: string): { before: Buffer; after: Buffer } {
  const [before, after, ...more] = text.split(PLACE);
  if (before === undefined || after === undefined || more.length > 0) {
    throw new Error('the menu has no single place for its number');
  }
  return { before: Buffer.from(before), after: Buffer.from(after) };
}
