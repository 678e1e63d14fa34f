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
  /** They run this suite, or for minutes and hours: read, and held against the scripts, their options and files. */
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
    'docs/runbook.md': [
      ['curl', 'start'],
      ['npm run admin', 'admin'],
    ],
  };

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
