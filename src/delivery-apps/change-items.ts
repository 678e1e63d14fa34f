/** The payload that our transform wrote, JSON in UTF-8, with each of its items as `change` makes it. */
export function changeItems<Item>(payload: Buffer, change: (item: Item) => Item): Buffer {
  const menu = JSON.parse(payload.toString('utf8')) as { readonly items: readonly Item[] };
  return Buffer.from(JSON.stringify({ ...menu, items: menu.items.map(change) }));
}
