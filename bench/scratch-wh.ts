import { startWebhookRig } from './rig/webhook-rig';
import { closedLoop, openLoop } from './rig/webhook-load';
import { spread } from './rig/quantile';
void (async () => {
  const rig = await startWebhookRig();
  try {
    const stores = await rig.addStores(Number(process.env['N'] ?? 200), '/ok');
    const cpu0 = rig.cpu();
    const posted = await openLoop(rig, stores, { rate: Number(process.env['RATE'] ?? 200), seconds: 30 });
    const cpu1 = rig.cpu();
    const arr = new Map((await rig.takeArrivals()).first);
    const t0 = posted[0]!.at;
    for (let w = 0; w < 30; w += 3) {
      const part = posted.filter((p) => p.at >= t0 + w * 1000 && p.at < t0 + (w + 3) * 1000);
      console.log(w, part.length, JSON.stringify(spread(part.map((p) => (arr.get(p.event) ?? NaN) - p.at))));
    }
    console.log(Object.fromEntries(Object.entries(cpu1).map(([k, v]) => [k, (v - cpu0[k as keyof typeof cpu0]).toFixed(1)])));
  } finally { await rig.stop(); }
})();
