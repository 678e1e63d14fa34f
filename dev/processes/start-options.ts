/**
 * The options of `node` with which API and worker are started in production, from docs/decisions/0048. Whatever
 * starts them has the same: `test/deployment/start-commands.test.ts` compares.
 */
export const START_OPTIONS = {
  api: ['--max-semi-space-size=8'],
  worker: ['--max-semi-space-size=16'],
} as const;

/** The environment that the image adds: glibc reads it before the first line of ours runs. */
export const START_ENVIRONMENT = { MALLOC_ARENA_MAX: '2' } as const;
