// Holds the OpenAPI document on standard input against a validator that is not ours: prints one line for each problem,
// and ends with 1 when there is one. `curl -s http://127.0.0.1:3000/openapi.json | node dev/checks/validate-openapi.mjs`
import { text } from 'node:stream/consumers';
import openapi from '@redocly/openapi-core';

/** Advice that we have read, and do not follow. */
const NOT_FOLLOWED = [
  // The service has no licence for others.
  'info-license',
  // Health, metrics and pages have no refusals.
  'operation-4xx-response',
];

const config = await openapi.createConfig({ extends: ['recommended'] });
const problems = await openapi.lintDocument({
  document: openapi.makeDocumentFromString(await text(process.stdin), 'openapi.json'),
  externalRefResolver: new openapi.BaseResolver(config.resolve),
  config: config.styleguide,
});
for (const { ruleId, message, location } of problems) {
  if (NOT_FOLLOWED.includes(ruleId)) continue;
  process.stdout.write(`${ruleId}: ${message} (${location[0]?.pointer ?? ''})\n`);
  process.exitCode = 1;
}
