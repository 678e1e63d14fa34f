import type { Shown } from '../delivery-apps/shown';

/** Marks the items off sale, by the app's ids, as a push would write them into its payload. */
export function withUnavailable(shown: Shown, wireIds: readonly string[]): Shown {
  if (wireIds.length === 0) return shown;
  const off = new Set(wireIds);
  const items = shown.items.map((item) =>
    off.has(item.external_id) ? { ...item, available: false } : item,
  );
  return { ...shown, items };
}
