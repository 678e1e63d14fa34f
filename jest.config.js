/** @type {import('jest').Config} */
module.exports = {
  // Files share the process's context, and the program that it has loaded.
  testEnvironment: '<rootDir>/test/support/environment.js',
  runtime: '<rootDir>/test/support/runtime.js',
  roots: ['<rootDir>/test'],
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
  runner: '<rootDir>/test/support/runner.js',
  // Waiting for real servers, workers and retries; a test that hangs still ends.
  testTimeout: 120_000,
  // Most files wait for servers and timers half of the time, and two of them would leave a processor idle.
  maxWorkers: 3,
  // A process that has run a hundred files needs longer than half a second to end; one that leaks is still reported.
  workerGracefulExitTimeout: 10_000,
  // Options live here, not in .swcrc: Temporal's workflow bundler uses swc-loader, which would read that file too.
  transform: {
    '^.+\\.tsx?$': [
      '@swc/jest',
      {
        jsc: {
          target: 'es2022',
          parser: { syntax: 'typescript', tsx: true },
          transform: { react: { runtime: 'automatic', importSource: 'preact' } },
        },
      },
    ],
  },
};
