import { type CommandBlock, commandBlocks } from './docs-commands';

/** Who plays a block of commands, and where. */
export const PLAYERS = {
  /** Beside a running `npm start`. */
  start: 'test/e2e/menu-upload.test.ts',
  /** Beside a running `npm run sandbox`. */
  sandbox: 'test/unit/first-minutes.test.ts',
  /** Line by line, as arguments of the admin program. */
  admin: 'test/db/admin-docs.test.ts',
  /** From a build, without containers. */
  built: 'test/deployment/built.test.ts',
  /** In a copy of the clients. */
  clients: 'test/clients/install.test.ts',
  /** There is no container engine and no cluster: read, and held against the files that they name. */
  compose: 'test/deployment/documented-commands.test.ts',
  kubernetes: 'test/deployment/documented-commands.test.ts',
  /** Programs of the project: read, and held against the scripts, their options and files; the night runs them too. */
  scripts: 'test/unit/docs-commands.test.ts',
} as const;
export type Player = keyof typeof PLAYERS;

/** The player of each block, by how the block begins; the first that fits has it. */
export const LEDGER: Readonly<Record<string, readonly (readonly [begins: string, by: Player])[]>> =
  {
    'README.md': [
      ['npm start ', 'scripts'],
      ['', 'start'],
    ],
    'CONTRIBUTING.md': [['npm run release', 'scripts']],
    'clients/python/README.md': [['pip install', 'clients']],
    'clients/typescript/README.md': [['npm run build', 'clients']],
    'dev/sandbox/README.md': [['curl', 'sandbox']],
    'docs/adding-a-delivery-app.md': [
      ['npm test', 'scripts'],
      ['npx tsx bench/random-menus.ts', 'scripts'],
      ['npx tsx dev/checks/write-golden-menus.ts', 'scripts'],
      ['npm start', 'start'],
      ['npm run admin', 'admin'],
    ],
    'docs/api.md': [['', 'start']],
    'docs/before-and-after.md': [['', 'start']],
    'docs/contributor.md': [['npm start', 'scripts']],
    'docs/deployment.md': [
      ['# Refuses where', 'compose'],
      ['password=', 'kubernetes'],
      ['docker compose', 'compose'],
      ['kubectl', 'kubernetes'],
      ['npm ci', 'built'],
    ],
    'docs/guarantees.md': [['npm run guarantees', 'scripts']],
    'docs/integrator.md': [['', 'start']],
    'docs/mutation.md': [['npm run mutate', 'scripts']],
    'docs/one-menu-four-apps.md': [['', 'start']],
    'docs/operator.md': [['npm run admin', 'admin']],
    'docs/receiver.md': [['', 'sandbox']],
    'docs/upgrading.md': [['docker compose', 'compose']],
    'docs/runbook.md': [
      ['curl', 'start'],
      ['npm run admin', 'admin'],
    ],
  };

/** Lines of the player `scripts` that `npx tsx dev/checks/run-docs.ts` does not run as they stand, and why. */
export const RUN_ELSEWHERE: Readonly<Record<string, string>> = {
  'npm start': 'test/e2e/terminal.test.ts starts it as a reader does',
  'npm test': '.ci/run runs it',
  'npm test -- test/unit': 'these tests are run every day and in the night',
  'npm test -- test/delivery-apps/app-e':
    'the reader of the guide writes them; test/fifth-app is their like',
  'npx tsx dev/checks/write-golden-menus.ts app-e': 'the reader of the guide writes that app',
  'npm run test:nightly': 'it is what runs this',
  'npm run test:nightly -- languages': 'it is a part of what runs this',
  'npm run guarantees': 'its tests are run every day and in the night',
  'npm run chaos -- --minutes 10 --seed 7':
    'the part chaos runs it, for as long as it is by itself',
  'npm run mutate': 'it changes the code; docs/mutation.md says when it was run',
  "npm run mutate -- --mutate 'src/menus/rules/check-*.ts'": 'a part of it',
  'npm run mutate -- --force': 'the same from scratch',
  'npm run release -- --dry-run': 'test/deployment/release.test.ts runs it',
  'npm run release': 'it makes a tag',
};

/** A line of the player `scripts` without its comment, and the first page that has it. */
interface ScriptLine {
  readonly page: string;
  readonly line: string;
}

/** The lines of the player `scripts`, each once. */
export function scriptLines(): readonly ScriptLine[] {
  const all = pagesFor('scripts').flatMap((page) =>
    blocksFor('scripts', page)
      .flatMap(({ commands }) => commands.trim().split('\n'))
      .map((line) => ({ page, line: line.split(/\s+#/)[0] ?? '' })),
  );
  return all.filter(({ line }, at) => all.findIndex((each) => each.line === line) === at);
}

/** The blocks of a page that a player plays, in their order. */
export function blocksFor(player: Player, page: string): readonly CommandBlock[] {
  return commandBlocks(page).filter((block) => playerOf(page, block) === player);
}

/** The pages of which a player plays a block. */
export function pagesFor(player: Player): readonly string[] {
  return Object.keys(LEDGER).filter((page) => blocksFor(player, page).length > 0);
}

export function playerOf(page: string, { commands }: CommandBlock): Player | undefined {
  return LEDGER[page]?.find(([begins]) => commands.startsWith(begins))?.[1];
}
