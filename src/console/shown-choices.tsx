import type {
  ShownGroup,
  ShownHours,
  ShownItem,
  ShownItemGroup,
  ShownLimits,
} from '../delivery-apps/shown';
import { amount } from './amount';
import { hoursWords } from './hours-words';

/** What ids of a menu name. */
export interface MenuIndex {
  readonly items: ReadonlyMap<string, ShownItem>;
  readonly groups: ReadonlyMap<string, ShownGroup>;
}

/** A price; with a promotion also the old one, struck through and said to be that. */
export function Price({
  of: { price, promotion_price: promotion },
}: {
  readonly of: Pick<ShownItem, 'price' | 'promotion_price'>;
}) {
  if (promotion === null) return <>{amount(price)}</>;
  return (
    <>
      <span class="unseen">now </span>
      <ins>{amount(promotion)}</ins>{' '}
      <del>
        <span class="unseen">instead of </span>
        {amount(price)}
      </del>
    </>
  );
}

export function Hours({
  hours,
  none,
}: {
  readonly hours: readonly ShownHours[];
  readonly none: string;
}) {
  const lines = hoursWords(hours);
  return <p class="none">{lines.length === 0 ? none : lines.join('; ')}</p>;
}

/** How many are chosen, as a guest reads it. */
export function Choose({ limits }: { readonly limits: ShownLimits | ShownItemGroup }) {
  const free = 'free_quantity' in limits && limits.free_quantity ? limits.free_quantity : 0;
  return (
    <span class="none">
      {`choose ${choiceOf(limits.min, limits.max)}${free > 0 ? `, ${free} free` : ''}`}
    </span>
  );
}

export function Options({
  options,
  index,
  most = options.length,
}: {
  readonly options: ShownGroup['options'];
  readonly index: MenuIndex;
  readonly most?: number;
}) {
  const more = options.length - most;
  return (
    <ul class="options">
      {options.slice(0, most).map((option) => {
        const item = index.items.get(option.external_id);
        const { min, max } = option;
        return (
          <li key={option.external_id}>
            {item?.name ?? option.external_id} <Price of={option} />
            {max !== null && ` (${choiceOf(min ?? 0, max)})`}
            {item?.available === false && ', not on sale'}
            {item && item.modifier_groups.length > 0 && ', with choices of its own'}
          </li>
        );
      })}
      {more > 0 && <li class="none">{`and ${more} more`}</li>}
    </ul>
  );
}

/** How many are chosen: `1`, `up to 3`, `1 to 3`. */
function choiceOf(min: number, max: number): string {
  if (min === max) return `exactly ${max}`;
  return min === 0 ? `up to ${max}` : `${min} to ${max}`;
}
