import { ITEM_WORDS, OFF_SALE_WORDS, type PlainWords } from '../contract/plain-words';
import type { Loss } from '../delivery-apps/types';
import type { Shown, ShownItem, ShownMenu as ShownMenuEntity } from '../delivery-apps/shown';
import { detailWords } from './detail-words';
import { Choose, Hours, type MenuIndex, Options, Price } from './shown-choices';
import { LossGroups } from './loss-groups';
import type { UnavailableEntry } from './pages/availability';
import { State, When } from './parts';
import {
  keyOfCategory,
  keyOfItem,
  keyOfMenu,
  listsOf,
  type PlacedLosses,
  placeGroups,
  placeLosses,
} from './placed-losses';
import type { PictureLink } from './picture-links';

interface ShownMenuProps {
  readonly shown: Shown;
  readonly losses: readonly Loss[];
  /** A longer page would not be read to its end. */
  readonly mostItems: number;
  readonly pictureLink: PictureLink;
  /** Items that are off sale by now, by id; absent where that is not known. */
  readonly offSale?: OffSale;
  /** It was narrowed to what somebody looks for: what is empty is left out. */
  readonly isPart?: boolean;
  /** The level of its headings: 3 below the name of an app. */
  readonly level?: 2 | 3;
}

export type OffSale = ReadonlyMap<
  string,
  Pick<UnavailableEntry, 'source' | 'state' | 'since' | 'until'>
>;

const NOTHING_OFF_SALE: OffSale = new Map();
/** Of one card; the whole groups stand below the menu. */
const MOST_GROUPS_OF_CARD = 6;
const MOST_OPTIONS_OF_CARD = 6;

/** A menu as a guest of the app sees it, with each loss where it is lost. */
export function ShownMenu({
  shown,
  losses: all,
  mostItems,
  pictureLink,
  offSale = NOTHING_OFF_SALE,
  isPart = false,
  level = 2,
}: ShownMenuProps) {
  const index: MenuIndex = {
    items: new Map(shown.items.map((item) => [item.external_id, item])),
    groups: new Map(shown.modifier_groups.map((group) => [group.external_id, group])),
  };
  const { lists, isCut } = listsOf(shown, mostItems);
  const groups = shown.modifier_groups.slice(0, mostItems);
  const keysOfGroups = placeGroups(lists, groups);
  const { losses, elsewhere } = placeLosses(all, lists, keysOfGroups);
  const [Heading, SubHeading] = HEADINGS[level];
  return (
    <>
      {shown.menus.map((menu) => (
        <section key={menu.identifier} class="menu">
          <Heading>{menu.name}</Heading>
          {menu.description && <p>{menu.description}</p>}
          <Hours hours={menu.hours} none="The app has no hours for this menu." />
          <Losses of={[keyOfMenu(menu)]} losses={losses} />
          {lists
            .filter((list) => list.menu === menu)
            .map(({ category, rows }) => (
              <section key={category.external_id}>
                <SubHeading>{category.name}</SubHeading>
                {category.description && <p>{category.description}</p>}
                <Losses of={[keyOfCategory(category)]} losses={losses} />
                {rows.length === 0 && <p class="none">No item of it is shown.</p>}
                <ul class="dishes">
                  {rows.map((id) => (
                    <Dish key={id} {...{ id, menu, index, losses, pictureLink, offSale }} />
                  ))}
                </ul>
              </section>
            ))}
        </section>
      ))}
      {isCut && <p class="none">{`The first ${mostItems} items. The API answers all of them.`}</p>}
      {(!isPart || groups.length > 0) && (
        <section>
          <Heading>{isPart ? 'As a choice' : 'Modifier groups'}</Heading>
          {groups.length === 0 && <p class="none">There are none.</p>}
          <ul class="groups">
            {groups.map((group) => (
              <li key={group.external_id}>
                <b>{group.name}</b> <Choose limits={group} />
                <Options options={group.options} index={index} />
                <p class="dish-id">{group.external_id}</p>
                <Losses of={keysOfGroups.get(group) ?? []} losses={losses} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {(!isPart || elsewhere.length > 0) && (
        <section>
          <Heading>{isPart ? 'What is lost of it' : 'Other losses'}</Heading>
          <LossGroups losses={elsewhere} none="There are no other losses." heading={SubHeading} />
        </section>
      )}
    </>
  );
}

/** Of menus and of their categories. */
const HEADINGS = { 2: ['h2', 'h3'], 3: ['h3', 'h4'] } as const;

/** The card of an item in a menu. */
function Dish({
  id,
  menu,
  index,
  losses,
  pictureLink,
  offSale,
}: {
  readonly id: string;
  readonly menu: ShownMenuEntity;
  readonly index: MenuIndex;
  readonly losses: PlacedLosses;
  readonly pictureLink: PictureLink;
  readonly offSale: OffSale;
}) {
  const item = index.items.get(id);
  const name = item?.name ?? id;
  return (
    <li class="dish">
      <div>
        <p class="name">{name}</p>
        {item && <Offered {...{ item, menu, index, offSale }} />}
        <p class="dish-id">{id}</p>
      </div>
      {item?.image_url && (
        <img
          src={pictureLink(item.image_url)}
          alt={`Picture of ${name}`}
          width={112}
          height={112}
          loading="lazy"
        />
      )}
      <Losses of={[keyOfItem(id)]} losses={losses} />
    </li>
  );
}

/** What a guest reads of an item below its name. */
function Offered({
  item,
  menu,
  index,
  offSale,
}: {
  readonly item: ShownItem;
  readonly menu: ShownMenuEntity;
  readonly index: MenuIndex;
  readonly offSale: OffSale;
}) {
  const { external_id: id, description, hours, modifier_groups: groups } = item;
  const prices = item.prices_by_menu.find(({ identifier }) => identifier === menu.identifier);
  const details = detailWords(item.details);
  const more = groups.length - MOST_GROUPS_OF_CARD;
  const off = offSale.get(id);
  return (
    <>
      {description && <p class="none">{description}</p>}
      <p class="price">
        <Price of={prices ?? item} />
      </p>
      {!item.available && !off && <p class="state warn">not on sale</p>}
      {off && (
        <p>
          <span class="state warn">off sale now</span> since <When at={off.since} />
          {off.until && <When at={off.until} before=", until " />}.{' '}
          {wordsOf(OFF_SALE_WORDS, off.source)}
          {off.state !== 'done' && ` ${wordsOf(ITEM_WORDS, off.state)}`}
        </p>
      )}
      {hours && <Hours hours={hours} none="It has no hours: it is never shown." />}
      {groups.length > 0 && (
        <ul class="choices">
          {groups.slice(0, MOST_GROUPS_OF_CARD).map((group) => (
            <li key={group.external_id}>
              <b>{index.groups.get(group.external_id)?.name ?? group.external_id}</b>{' '}
              <Choose limits={group} />
              <Options
                options={index.groups.get(group.external_id)?.options ?? []}
                index={index}
                most={MOST_OPTIONS_OF_CARD}
              />
            </li>
          ))}
          {more > 0 && <li class="none">{`and ${more} more choices`}</li>}
        </ul>
      )}
      {details.length > 0 && (
        <ul class="facts" aria-label="Details">
          {details.map((words) => (
            <li key={words}>{words}</li>
          ))}
        </ul>
      )}
    </>
  );
}

function Losses({
  of: keys,
  losses,
}: {
  readonly of: readonly string[];
  readonly losses: PlacedLosses;
}) {
  const found = keys.flatMap((key) => losses.get(key) ?? []);
  if (found.length === 0) return null;
  return (
    <ul class="losses" aria-label="Lost">
      {found.map((loss, index) => (
        <li key={index}>
          <State name={loss.severity} /> {loss.message}
        </li>
      ))}
    </ul>
  );
}

/** What a word of the API means, and what to do; the word itself if it is a new one. */
function wordsOf(words: Readonly<Record<string, PlainWords>>, name: string): string {
  const { means = name, todo = null } = words[name] ?? {};
  return todo === null ? means : `${means} ${todo}`;
}
