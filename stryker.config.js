const { readdirSync } = require('node:fs');

/** The tests that mutants are tried against: those of pure code, without Postgres, Temporal, servers or waiting. */
const PURE_TESTS = [
  /^menu-rules(-contract|-cycles|-schedules|-type)?$/,
  /^app-[abcd]-(image-rules|losses|same-menu|schedules|transform)$/,
  /^app-c-(groups|long-ids|prices|task-outcome)$/,
  /^app-b-refusal-reasons$/,
  /^delivery-app-(losses|prices)$/,
  /^(prepare-menu|quote-value|clean-text|raw-json|ascii-case|receiver-headers|sizes)$/,
  /^(conclude-attempt|delivery|judge-answer|line-report|read-answer|circuit-breaker)$/,
  /^(signing|upload|upload-verdict|payload)$/,
];

const tests = readdirSync('test/unit')
  .filter((name) => PURE_TESTS.some((pattern) => pattern.test(name.replace(/\.test\.ts$/, ''))))
  .map((name) => `test/unit/${name}`)
  .concat('test/delivery-apps/golden-menus.test.ts');

/* Mutants of the code that decides what is accepted, signed and sent; docs/mutation.md says how they are read. */
module.exports = {
  mutate: [
    'src/platform/crypto/signing.ts',
    'src/menus/rules/*.ts',
    'src/uploads/{upload,upload-verdict}.ts',
    'src/webhooks/{delivery,payload}.ts',
    'src/webhooks/lines/line-report.ts',
    'src/webhooks/attempt/{conclude-attempt,judge-answer,read-answer}.ts',
    'src/webhooks/attempt/{receiver-headers,circuit-breaker}.ts',
    'src/platform/text/*.ts',
    'src/platform/config/{durations,sizes}.ts',
    'src/platform/outbound/retry-after.ts',
    'src/platform/whole-second.ts',
    // Data: the sentences of the rules, the example of the docs.
    '!src/menus/rules/{example-changes,example-menu,menu-rules,rule,rule-families,schedule-rules}.ts',
    'src/delivery-apps/{copy-id,group-copies,ignored-fields,losses,menu-index}.ts',
    'src/delivery-apps/{prepare-menu,prices,repeated-references,serialise-up-to,text-length,unused-entities}.ts',
    'src/delivery-apps/app-a/{contexts,menu-translation,same-menu,schedules,transform}.ts',
    'src/delivery-apps/app-b/{schedules,transform}.ts',
    'src/delivery-apps/app-c/{exceeded-limits,option-categories,plan-options,schedules}.ts',
    'src/delivery-apps/app-c/{to-groups,to-items,transform,transform-context}.ts',
    'src/delivery-apps/app-d/{exceeded-limits,plan-skus,to-products,to-toppings}.ts',
    'src/delivery-apps/app-d/{transform,transform-context,without-emoji}.ts',
  ],
  testRunner: 'in-process',
  plugins: ['./dev/checks/mutation-runner.mjs'],
  testRunnerNodeArgs: ['--import', 'tsx'],
  // What measures time fails by itself where every call counts its mutants.
  mutationRunner: { tests, leaveOut: 'grows with its size|linear time|in time' },
  warnings: { unknownOptions: false },
  coverageAnalysis: 'perTest',
  // What runs when a module is loaded cannot be told apart by test: each of its mutants would need all of them.
  ignoreStatic: true,
  // TypeScript 7 has no JavaScript API, with which tsconfig.json would be rewritten; swc does not read it.
  tsconfigFile: 'none.json',
  reporters: ['clear-text', 'json'],
  jsonReporter: { fileName: '.stryker/report.json' },
  incremental: true,
  incrementalFile: '.stryker/incremental.json',
  tempDirName: '.stryker/tmp',
  concurrency: 2,
  timeoutMS: 10_000,
};
