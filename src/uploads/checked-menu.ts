import { seasonsIn } from '../menus/menu';
import { checkMenu } from '../menus/rules/check-menu';
import { toProblemDetails, toSentences } from '../menus/rules/problems-in-answers';
import type { MenuBody } from '../menus/rules/walk';
import type { Config } from '../platform/config/config';
import { AppError, type ErrorDetail, type OmittedErrors } from '../platform/errors';

/** A menu with the verdict of the menu rules. Flat and small, because a thread sends it. */
export type CheckedMenu =
  | {
      readonly ok: true;
      readonly menuCount: number;
      /** Some item has a season, so its store must have a time zone. */
      readonly hasSeasons: boolean;
      /** The four lists as JSON, as they were sent but for blanks. */
      readonly text: Uint8Array;
    }
  | {
      readonly ok: false;
      readonly sentences: readonly string[];
      readonly details: readonly ErrorDetail[];
      readonly omitted: readonly OmittedErrors[];
    };

/** The settings that decide which menus are valid. */
export type RuleSettings = Pick<Config, 'MENU_EQUAL_QUANTITIES' | 'MENU_ZERO_PRICES'>;

/** Checks every rule inside a menu whose top-level shape is already checked; `text` is that of its four lists. */
export function toCheckedMenu(
  body: MenuBody,
  text: Uint8Array,
  settings: RuleSettings,
): CheckedMenu {
  const verdict = checkMenu(body, {
    equalQuantities: settings.MENU_EQUAL_QUANTITIES,
    zeroPrices: settings.MENU_ZERO_PRICES,
  });
  if (verdict.ok) {
    const hasSeasons = seasonsIn(verdict.menu).length > 0;
    return { ok: true, menuCount: body.menus.length, hasSeasons, text };
  }
  const { problems } = verdict;
  return {
    ok: false,
    sentences: toSentences(problems),
    details: toProblemDetails(problems),
    omitted: problems.omitted,
  };
}

/** The 409, and the refusal of a target, where days of the store are meant and it has no time zone. */
export const TIME_ZONE_MISSING = 'The store must have a time zone.';

/** Throws the 409 of a menu with seasons for a store without a time zone. */
export function requireTimeZone(
  { hasSeasons }: Extract<CheckedMenu, { ok: true }>,
  { timeZone }: { readonly timeZone: string | null },
): void {
  if (hasSeasons && timeZone === null) throw new AppError('time_zone_missing', TIME_ZONE_MISSING);
}

/** Returns a menu that broke no rule; otherwise throws the 409 with all messages. */
export function requireValidMenu(menu: CheckedMenu): Extract<CheckedMenu, { ok: true }> {
  if (menu.ok) return menu;
  throw menuRefusal(menu);
}

/** The 409 with all broken rules. */
export function menuRefusal({
  sentences,
  details,
  omitted,
}: Extract<CheckedMenu, { ok: false }>): AppError {
  return new AppError('menu_invalid', sentences, { details, omitted });
}
