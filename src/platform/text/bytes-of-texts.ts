/** The number of bytes that these texts have in UTF-8, one after the other. */
export function sizeOfTexts(texts: readonly string[]): number {
  return texts.reduce((size, text) => size + Buffer.byteLength(text), 0);
}

/**
 * These bytes; `size` is their number. The texts are not joined first: a joined one of 128 KB or more stays in memory
 * until all garbage is collected.
 */
export function bytesOfTexts(texts: readonly string[], size = sizeOfTexts(texts)): Buffer {
  const bytes = Buffer.allocUnsafeSlow(size);
  let length = 0;
  for (const text of texts) length += bytes.write(text, length);
  return bytes;
}
