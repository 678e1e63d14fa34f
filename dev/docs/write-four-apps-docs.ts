import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { adapterOf } from '../../src/delivery-apps/registry';
import type { Loss, ShippedAppName, TransformResult } from '../../src/delivery-apps/types';
import { findCountry } from '../../src/platform/validation/countries';
import type { MenuDocument } from '../../src/menus/menu';
import { APP_STORE_IDS } from '../demo/demo-data';
import { formatJson } from './format-json';

export const FOUR_APPS_DOCS = join(__dirname, '..', '..', 'docs', 'one-menu-four-apps.md');
const MENU_FILE = 'dev/demo/menu.json';

const INTRODUCTION = `# One menu, four delivery apps

<!-- Written by dev/docs/write-four-apps-docs.ts from ${MENU_FILE}; change the transforms, not this page. -->

The menu of the demo (\`${MENU_FILE}\`) and what each app is sent for it, with what is lost on the way. After
\`APP_D=rappi npm start\` the same can be seen with curl: upload it to integrations 1 to 4, then ask the sandbox. (App D
shows its menu once it is approved: the first question is asked after five minutes, unless the app has called back.) **How long**: about two seconds; App D as said.

\`\`\`sh
TOKEN=…                        # printed by npm start
for integration in 1 2 3 4; do
  sed "s/\\"integration_id\\": \\"2\\"/\\"integration_id\\": \\"$integration\\"/" ${MENU_FILE} |
    curl -s http://127.0.0.1:3000/api/v1/menus/upload \\
      -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' --data @-
done
curl -s http://127.0.0.1:4010/app-a/_sandbox/menus
curl -s http://127.0.0.1:4010/app-b/_sandbox/menus
curl -s http://127.0.0.1:4010/app-c/_sandbox/menus
curl -s http://127.0.0.1:4010/app-d/_sandbox/menus
\`\`\`

The losses are in the upload's status, \`GET /api/v1/menus/uploads/{upload_id}\`. A loss of severity \`block\` would
have stopped the push; this menu has none.
`;

const APPS = [
  [
    'app-a',
    'App A',
    'Several menus, hours at the menu, prices and quantities overridden by context.',
  ],
  ['app-b', 'App B', 'One menu, the same hours every day, decimal prices.'],
  [
    'app-c',
    'App C',
    'One menu without hours of its own: they go onto the items, as do promotions.',
  ],
  [
    'app-d',
    'App D',
    'Products with all of their toppings, in whole units; no hours, no promotions, and copies where one SKU would differ.',
  ],
] as const satisfies readonly (readonly [ShippedAppName, string, string])[];

/** The page as it should be. */
export function fourAppsMarkdown(): string {
  // The demo's own file, which an end-to-end test uploads.
  const menu = JSON.parse(
    readFileSync(join(__dirname, '..', '..', MENU_FILE), 'utf8'),
  ) as MenuDocument;
  const results = APPS.map(([app, title, gist]) => ({ title, gist, ...translate(app, menu) }));
  const losses = results.map(({ title, losses: lost }) => `### ${title}\n\n${listLosses(lost)}`);
  const payloads = results.map(
    ({ title, gist, payload }) =>
      `## What ${title} is sent\n\n${gist}\n\n\`\`\`json\n${formatJson(payload)}\n\`\`\`\n`,
  );
  return [INTRODUCTION, '## What is lost\n', ...losses, ...payloads].join('\n');
}

function translate(name: ShippedAppName, menu: MenuDocument): TransformResult {
  const country = findCountry('MX');
  if (!country) throw new Error(`${name} cannot be shown`);
  const { currencyExponent, locale } = country;
  const store = { appStoreId: APP_STORE_IDS[name], currencyExponent, locale };
  return adapterOf(name).transform({ menu, store });
}

function listLosses(losses: readonly Loss[]): string {
  return losses
    .map(
      ({ code, severity, pointer, message }) =>
        `- \`${code}\` (${severity}, \`${pointer}\`): ${message}\n`,
    )
    .join('');
}

if (require.main === module) writeFileSync(FOUR_APPS_DOCS, fourAppsMarkdown());
