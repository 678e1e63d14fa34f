import { createHash } from 'node:crypto';
import { transformForAppB } from '../../src/delivery-apps/app-b/transform';
import { sizedMenu } from '../../test/support/sized-menu';

/**
 * A menu of which every upload is another one, at the cost of copying its bytes: a number in the menu's name is
 * exchanged. Equal menus would be stored once, and read from the worker's memory from the second upload on.
 */
export interface MarkedMenu {
  readonly bytes: number;
  /** The request for upload number `mark`. */
  body(mark: number, storeId: number, integrationId: number): Buffer;
  /** SHA-256 (hex) of what App B has to be sent for it. */
  payloadSha256(mark: number): string;
}

const SEED = 20_261_101;
const WIDTH = 9;
const PLACE = '#'.repeat(WIDTH);

export function markedMenu(entities: number): MarkedMenu {
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
    body: (mark, storeId, integrationId) =>
      Buffer.concat([
        Buffer.from(`{"store_id":${storeId},"integration_id":"${integrationId}",`),
        request.before,
        Buffer.from(markText(mark)),
        request.after,
      ]),
    payloadSha256: (mark) =>
      createHash('sha256')
        .update(wire.before)
        .update(markText(mark))
        .update(wire.after)
        .digest('hex'),
  };
}

function markText(mark: number): string {
  return String(mark).padStart(WIDTH, '0');
}

function splitAtPlace(text: string): { before: Buffer; after: Buffer } {
  const [before, after, ...more] = text.split(PLACE);
  if (before === undefined || after === undefined || more.length > 0) {
    throw new Error('the menu has no single place for its mark');
  }
  return { before: Buffer.from(before), after: Buffer.from(after) };
}
