import type { Arena } from '../../test/support/chaos/arena';
import { overlappingPushes, pushRequests } from '../../test/support/chaos/judge';
import type { ShownRollout, ShownTarget } from '../../test/support/rollouts';
import { versionIn } from '../../test/support/versioned-menu';
import type { Place } from './rollout-world';

/** What an app shows of a store, as its JSON text; `null` = nothing. */
export type Shown = ReadonlyMap<Place, string>;

/** Asks every app what it shows of each place. */
export async function showAll({ simulators }: Arena, places: readonly Place[]): Promise<Shown> {
  const shown = new Map<Place, string>();
  for (const place of places) {
    const url = `${simulators.appsUrl}/${place.app}/_sandbox/stores/${place.appStoreId}`;
    const answer = await fetch(url);
    // A store that was never shown anything is not known there.
    const page = answer.status === 404 ? {} : ((await answer.json()) as { payload?: unknown });
    shown.set(place, JSON.stringify(page.payload ?? null));
  }
  return shown;
}

/** Places whose target did not end as the rollout and their app say. */
export function wrongTargets(
  places: readonly Place[],
  targets: readonly ShownTarget[],
  shown: Shown,
  version: string,
): string[] {
  return places.flatMap((place, at) => {
    const target = targets[at];
    const found = versionIn(parsed(shown.get(place))) ?? null;
    const wanted = place.fails ? place.before : version;
    const state = place.fails ? 'failed' : 'uploaded';
    const isRight =
      target?.store_id === place.storeId &&
      target.state === state &&
      target.live === !place.fails &&
      found === wanted;
    return isRight
      ? []
      : [
          `${nameOf(place)} ended ${target?.state}, live ${target?.live}, and shows ${found}, not ${state} and ${wanted}: ${target?.messages.join(' ')}`,
        ];
  });
}

/** Places that do not show the very bytes that they showed before; those without anything before stay as they are. */
export function notTakenBack(places: readonly Place[], before: Shown, after: Shown): string[] {
  return places.flatMap((place) => {
    if (place.before === null && !place.fails) return [];
    return before.get(place) === after.get(place)
      ? []
      : [`${nameOf(place)} shows ${versionIn(parsed(after.get(place)))}, not ${place.before}`];
  });
}

/** Menus that a place showed in another order than they were published in. A push that is repeated is no other menu. */
export async function wrongTimelines(
  { simulators }: Arena,
  places: readonly Place[],
): Promise<string[]> {
  const seen = new Map<string, string[]>();
  for (const app of new Set(places.map((place) => place.app))) {
    const page = await fetch(`${simulators.appsUrl}/${app}/_sandbox/timeline`);
    for (const { store_id: store, sha256 } of (await page.json()) as TimelineEntry[]) {
      const menus = seen.get(store) ?? [];
      if (menus.at(-1) !== sha256) menus.push(sha256);
      seen.set(store, menus);
    }
  }
  return places.flatMap((place) => {
    const [first, second, third, ...more] = seen.get(place.appStoreId) ?? [];
    const isRight = place.fails
      ? second === undefined
      : place.before === null
        ? first !== undefined && second === undefined
        : second !== undefined && third === first && more.length === 0;
    return isRight ? [] : [`${nameOf(place)} showed ${seen.get(place.appStoreId)?.length} menus`];
  });
}

interface TimelineEntry {
  readonly store_id: string;
  readonly sha256: string;
}

/** Uploads and rollouts whose end was not reported exactly once. */
export async function toldTwiceOrNever({ sql }: Arena, rolloutId: string): Promise<string[]> {
  // The events are read once: a join for each upload would mean a million look-ups in their JSON.
  const uploads = await sql<{ uploadId: string; told: number }[]>`
    with told as materialized (
      select payload -> 'data' ->> 'upload_id' as upload_id, count(*)::int as times
      from any_delivery where event_type = 'upload.ended' group by 1
    )
    select u.upload_id, coalesce(t.times, 0) as told
    from menu_upload u left join told t using (upload_id)
    where u.rollout_id = ${rolloutId} and coalesce(t.times, 0) <> 1`;
  const [ends] = await sql<{ told: number }[]>`
    select count(*)::int as told from any_delivery
    where event_type = 'rollout.ended' and payload -> 'data' ->> 'rollout_id' = ${rolloutId}`;
  return [
    ...uploads.map(({ uploadId, told }) => `the end of ${uploadId} was told ${told} times`),
    // It ended, and was reverted.
    ...(ends?.told === 2 ? [] : [`the end of ${rolloutId} was told ${ends?.told} times, not 2`]),
  ];
}

/** State and counts of the rollout, and of its revert, that are not as its places make them. */
export function wrongCounts(
  places: readonly Place[],
  rollout: ShownRollout,
  state: 'done' | 'reverted',
): string[] {
  const failing = places.filter(({ fails }) => fails).length;
  const first = places.filter(({ fails, before }) => !fails && before === null).length;
  const { counts, revert } = rollout;
  return [
    ...(rollout.state === state ? [] : [`the rollout is ${rollout.state}, not ${state}`]),
    ...differing('targets', counts, { uploaded: places.length - failing, failed: failing }),
    ...(state === 'done'
      ? []
      : differing('reverts', revert ?? {}, {
          reverted: places.length - failing - first,
          not_live: failing,
          without_previous: first,
        })),
  ];
}

function differing(
  what: string,
  counts: Readonly<Record<string, number>>,
  wanted: Readonly<Record<string, number>>,
): string[] {
  const states = new Set([...Object.keys(counts), ...Object.keys(wanted)]);
  return [...states].flatMap((state) => {
    const [found, right] = [counts[state] ?? 0, wanted[state] ?? 0];
    return found === right ? [] : [`${found} ${what} ${state}, not ${right}`];
  });
}

/** Menus that were sent to a store while another one was on its way there; and how many were sent. */
export async function judgePushes(arena: Arena) {
  const requests = await pushRequests(arena);
  return { pushes: requests.length, overlapping: overlappingPushes(requests) };
}

function nameOf({ app, storeId }: Place): string {
  return `store ${storeId} in ${app}`;
}

function parsed(text: string | undefined): unknown {
  return JSON.parse(text ?? 'null');
}
