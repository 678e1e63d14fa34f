/** Applies `change` to each item of a transformed payload, which is JSON in UTF-8. */
export function changeItems<Item>(payload: Buffer, change: (item: Item) => Item): Buffer {
  const menu = JSON.parse(payload.toString('utf8')) as { readonly items: readonly Item[] };
  return Buffer.from(JSON.stringify({ ...menu, items: menu.items.map(change) }));
}
