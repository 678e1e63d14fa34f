import { JUDGED_APPS, judgeRandomMenu } from '../test/support/judge-random-menus';
import { wholeArgument } from './rig/settings';

/**
 * `npx tsx bench/random-menus.ts [menus per app] [first seed]`: random menus through each app's transform, simulator and
 * reader. A menu is found again by its seed: `npx tsx bench/random-menus.ts 1 SEED`.
 */
function main(): void {
  const count = wholeArgument(0, 'menus', 2_000, 1_000_000);
  const first = wholeArgument(1, 'first seed', 20_261_122, 2 ** 31);
  console.log(`${count} menus per app, seeds ${first} to ${first + count - 1}\n`);
  console.log(
    'app    accepted  foretold  refused without a loss  differences without a loss  losses without a difference',
  );
  let faults = 0;
  for (const app of JUDGED_APPS) {
    const counts = { accepted: 0, foretold: 0, refused: 0, unnamed: 0, idle: 0 };
    const shown = new Map<string, string>();
    for (let seed = first; seed < first + count; seed += 1) {
      const judged = judgeRandomMenu(app, seed);
      counts[judged.verdict] += 1;
      if (judged.unnamed.length > 0) counts.unnamed += 1;
      if (judged.idle.length > 0) counts.idle += 1;
      const [violation] = judged.violations;
      const faultsOfMenu = [
        ...(violation === undefined ? [] : [`refused: ${JSON.stringify(violation)}`]),
        ...judged.unnamed.map((what) => `no loss for ${what}`),
        ...judged.idle.map((loss) => `no difference for ${loss}`),
      ];
      faults += faultsOfMenu.length;
      for (const fault of faultsOfMenu) {
        const kind = fault.replaceAll(/\/\w+\/\d+/g, '/…').replaceAll(/[A-Z][~/é]?\d/g, '…');
        if (!shown.has(kind)) shown.set(kind, `seed ${seed}: ${fault}`);
      }
    }
    const columns = [counts.accepted, counts.foretold, counts.refused, counts.unnamed, counts.idle];
    const widths = [9, 9, 23, 27, 28];
    console.log(
      `${app.name}${columns.map((n, at) => String(n).padStart(widths[at] ?? 0)).join(' ')}`,
    );
    for (const fault of [...shown.values()].slice(0, 12)) console.log(`  ${fault}`);
  }
  if (faults > 0) process.exitCode = 1;
}

main();
