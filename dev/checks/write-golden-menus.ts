import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { APP_NAMES, type AppName } from '../../src/delivery-apps/types';
import {
  goldenPath,
  readGoldenMenus,
  transformGolden,
} from '../../test/delivery-apps/golden-menus';

/**
 * Writes what each app's transform makes of the shared menus: `tsx dev/checks/write-golden-menus.ts [app-a …]`. The
 * resulting diff shows what a change of a transform means on the wire: read it.
 */
function writeGoldenMenus(app: AppName): void {
  const folder = dirname(goldenPath(app, 'any'));
  mkdirSync(folder, { recursive: true });
  for (const stale of readdirSync(folder)) rmSync(join(folder, stale));
  const menus = readGoldenMenus();
  for (const menu of menus) {
    writeFileSync(goldenPath(app, menu.name), JSON.stringify(transformGolden(app, menu)));
  }
  execFileSync(process.execPath, [join(__dirname, '../../node_modules/oxfmt/bin/oxfmt'), folder]);
  console.log(`${menus.length} menus written for ${app}.`);
}

const wanted = process.argv.slice(2);
for (const app of APP_NAMES) {
  if (wanted.length > 0 && !wanted.includes(app)) continue;
  writeGoldenMenus(app);
}
