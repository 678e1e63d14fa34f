import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { dropWhenReaderIsGone } from '../../src/platform/observe/broken-pipe';
import { judgeManifests } from './cluster';
import { blockers, type Finding, linesOf } from './finding';
import { judgeGit, judgeNights, tagOf, tagRelease } from './git-state';
import { makeReleaseFiles } from './release-files';
import { judgeWrittenState, versionOf } from './written-state';

/*
 * `npm run release -- --dry-run`: makes the files of a release in .release/VERSION and says what is missing; ends with 1
 * if anything is. Without `--dry-run` what was skipped is missing too, and in the end the commit gets its tag. Nothing is
 * sent anywhere.
 */

const ROOT = join(__dirname, '..', '..');

function main(args: readonly string[]): number {
  const isDryRun = readOptions(args);
  if (isDryRun === undefined) {
    process.stderr.write('npm run release [-- --dry-run]\n');
    return 2;
  }
  const version = versionOf(ROOT);
  const folder = join(ROOT, '.release', version);
  process.stdout.write(
    `Release ${version}: half a minute, and minutes where an image is made …\n\n`,
  );
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const findings: readonly Finding[] = [
    judgeGit(ROOT, version),
    ...judgeWrittenState(ROOT),
    ...makeReleaseFiles(ROOT, folder, version),
    judgeManifests(ROOT),
    judgeNights(ROOT),
  ];
  process.stdout.write(linesOf(findings));
  process.stdout.write(`\nThe files are in ${folder}.\n`);
  process.stdout.write('No licence is granted yet: that is for the owner to decide.\n');
  const missing = blockers(findings, isDryRun);
  if (missing.length > 0) {
    process.stdout.write(`Not a release yet: ${missing.map(({ part }) => part).join(', ')}.\n`);
    return 1;
  }
  if (isDryRun) {
    const skipped = findings.filter(({ state }) => state === 'skipped').map(({ part }) => part);
    const needed = `A release needs what was skipped, too: ${skipped.join(', ')}.`;
    process.stdout.write(`Nothing is missing.${skipped.length > 0 ? ` ${needed}` : ''}\n`);
    return 0;
  }
  tagRelease(ROOT, version);
  process.stdout.write(`Tagged as ${tagOf(version)}. Push the tag and the image yourself.\n`);
  return 0;
}

/** Whether it is a dry run; undefined for arguments that it does not know. */
function readOptions(args: readonly string[]): boolean | undefined {
  try {
    const options = { 'dry-run': { type: 'boolean', default: false } } as const;
    return parseArgs({ args: [...args], options }).values['dry-run'];
  } catch {
    return undefined;
  }
}

dropWhenReaderIsGone(process.stdout, process.stderr);
process.exitCode = main(process.argv.slice(2));
