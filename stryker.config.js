/* Mutants of the code that decides what is accepted, signed and sent; docs/mutation.md says how they are read. */
module.exports = {
  mutate: [
    'src/signing.ts',
    'src/domain/**/*.ts',
    // Data: a table of countries, the sentences of the rules, the example of the docs, names.
    '!src/domain/{countries,workflow-names,menu}.ts',
    '!src/domain/menu-rules/{apply-changes,example-menu,menu-rules,rule,rule-families,schedule-rules}.ts',
    'src/delivery-apps/{copy-id,group-copies,ignored-fields,images,losses,menu-index}.ts',
    'src/delivery-apps/{prepare-menu,prices,repeated-references,serialise-up-to,text-length,unused-entities}.ts',
    'src/delivery-apps/app-a/{contexts,hours,menu-translation,same-menu,transform}.ts',
    'src/delivery-apps/app-b/{shifts,transform}.ts',
    'src/delivery-apps/app-c/{cut-text,exceeded-limits,option-categories,plan-options,sale-times}.ts',
    'src/delivery-apps/app-c/{to-groups,to-items,transform,transform-context}.ts',
    'src/delivery-apps/app-d/{exceeded-limits,plan-skus,to-products,to-toppings}.ts',
    'src/delivery-apps/app-d/{transform,transform-context,without-emoji}.ts',
  ],
  testRunner: 'jest',
  plugins: ['@stryker-mutator/jest-runner'],
  // Jest finds only some of the tests that a file has a part in; the coverage of each test finds all.
  jest: { configFile: 'jest.mutation.config.js', enableFindRelatedTests: false },
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
