const { transform } = require('./jest.config.js');

/**
 * The tests that mutants are tried against: those of pure code, without Postgres, Temporal or waiting. `npm run mutate`
 * runs them thousands of times.
 * @type {import('jest').Config}
 */
module.exports = {
  testEnvironment: 'node',
  roots: ['<rootDir>/test/unit', '<rootDir>/test/contract'],
  testMatch: [
    '**/unit/menu-rules{,-contract,-cycles,-schedules,-type}.test.ts',
    '**/unit/app-{a,b,c,d}-{hours,image-rules,losses,same-menu,transform}.test.ts',
    '**/unit/app-c-{groups,long-ids,prices,task-outcome}.test.ts',
    '**/unit/app-b-refusal-reasons.test.ts',
    '**/unit/delivery-app-{losses,prices}.test.ts',
    '**/unit/{prepare-menu,quote-value,clean-text,raw-json,ascii-case,countries,durations,sizes}.test.ts',
    '**/unit/{attempt-conclusion,breaker,delivery,line-report,receiver-verdict,retry-table}.test.ts',
    '**/unit/{signing,upload,upload-verdict,webhook-body,whole-second}.test.ts',
    '**/contract/golden-menus.test.ts',
  ],
  transform,
};
