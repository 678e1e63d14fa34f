const UNIT_BYTES = { B: 1, KB: 1_024, MB: 1_024 ** 2, GB: 1_024 ** 3 } as const;

function isUnit(text: string | undefined): text is keyof typeof UNIT_BYTES {
  return text !== undefined && Object.hasOwn(UNIT_BYTES, text);
}

/**
 * `512B`, `64KB`, `256MB` or `1GB` → bytes, in units of 1,024. Throws an Error that says what is expected. A bare
 * number is refused, as for durations, because it may mean bytes or megabytes.
 */
export function parseSize(text: string): number {
  // Six digits of gigabytes still fit a safe integer.
  const [, count, unit] = /^(\d{1,6})(B|KB|MB|GB)$/.exec(text) ?? [];
  if (count === undefined || !isUnit(unit)) {
    throw new Error('must be a size such as 512B, 64KB, 256MB or 1GB');
  }
  return Number(count) * UNIT_BYTES[unit];
}
