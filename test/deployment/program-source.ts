/** The source of the first program among the words of a command, as a path in the project; `none` if there is none. */
export function programSource(words: readonly string[]): string {
  const program = words.find((word) => word.endsWith('.js')) ?? 'none';
  return program.replace(/^dist\/(.*)\.js$/, '$1.ts');
}
