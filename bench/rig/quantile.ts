/** The value below which a share `p` of the sorted values lies; NaN without any. */
export function quantile(sorted: readonly number[], p: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(p * sorted.length))] ?? Number.NaN;
}

/** Of unsorted values; the upper one of the two in the middle, NaN without any. */
export function median(values: readonly number[]): number {
  return quantile(
    values.toSorted((a, b) => a - b),
    0.5,
  );
}

/** p50, p99 and the largest of unsorted ms, as cells of a table. */
export function spread(ms: readonly number[]): { p50: string; p99: string; max: string } {
  const sorted = ms.toSorted((a, b) => a - b);
  const cell = (p: number): string => quantile(sorted, p).toFixed(1);
  return { p50: cell(0.5), p99: cell(0.99), max: cell(1) };
}
