import type { CarriedItem } from './sql/carried-items';
import { pathOfItem } from './page-of-url';
import { Text } from './parts';

/** The item of a stock movement with how many, or the items of item data. */
export function Carried({
  of: item,
  storeId,
}: {
  readonly of: CarriedItem | undefined;
  /** In whose menus the item may be; null: of none. */
  readonly storeId: number | null;
}) {
  if (!item) return <Text>{null}</Text>;
  if (item.type === 1) return <>{itemDataWords(item)}</>;
  if (!item.externalId) return <>a test of stock</>;
  return (
    <>
      <b>
        {storeId === null ? (
          item.externalId
        ) : (
          <a href={pathOfItem(storeId, item.externalId)}>{item.externalId}</a>
        )}
      </b>{' '}
      {movementWords(item)}
    </>
  );
}

/** `−2, 18 left`: a sign that stands for what was added or removed, whatever sign the POS gave the quantity. */
function movementWords({ quantity, currentStock, movementType }: CarriedItem): string {
  const sign = movementType === '1' ? '+' : '−';
  const moved = quantity === null ? '' : `${sign}${quantity.replace(/^[-+]/, '')}`;
  return currentStock === null ? moved : `${moved}, ${currentStock} left`;
}

function itemDataWords({ itemCount, firstItems }: CarriedItem): string {
  const count = itemCount ?? 0;
  const named = firstItems ?? [];
  const words = `data of ${count} ${count === 1 ? 'item' : 'items'}`;
  if (named.length === 0) return words;
  return `${words}: ${named.join(', ')}${count > named.length ? ' and more' : ''}`;
}
