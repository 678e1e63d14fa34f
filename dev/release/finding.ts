/** What the release check found of one part. */
export interface Finding {
  readonly part: string;
  /** `skipped`: this machine cannot tell, or it was not tried; a dry run may end so, a release may not. */
  readonly state: 'ok' | 'skipped' | 'missing';
  readonly says: string;
}

/** What keeps a release from being made; in a dry run nothing that was only skipped does. */
export function blockers(findings: readonly Finding[], isDryRun: boolean): readonly Finding[] {
  return findings.filter(({ state }) => state === 'missing' || (state === 'skipped' && !isDryRun));
}

/** One line each, in columns. */
export function linesOf(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ part }) => part.length));
  return findings
    .map(({ part, state, says }) => `${state.padEnd(8)} ${part.padEnd(width)}  ${says}\n`)
    .join('');
}
