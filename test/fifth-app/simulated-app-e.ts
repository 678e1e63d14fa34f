import { createTokenShop } from '../../dev/sandbox/app-b/tokens';
import * as apps from '../../dev/sandbox/app-simulator';
import { parseJson } from '../../src/delivery-apps/http-outcome';
import { type Fields, fieldsOf, objectsIn, textsIn } from '../../src/delivery-apps/read-payload';

const SHOP = /^\/shops\/([^/]+)$/;
const ROUTES = { PUT: 'upload', GET: 'read', POST: 'availability', PATCH: 'pause' } as const;

interface AppEOptions extends apps.SimulatedAppOptions {
  /** The client's secret is the token, and there is no token call. */
  readonly keyIsToken?: boolean;
}

/** Simulated App E, as strict as its made-up documentation. */
export function createAppE(options: AppEOptions): apps.AppSimulatorFactory {
  return ({ clock, newId, menus, stores }) => {
    const tokens = createTokenShop(clock, () => newId('tok'));
    const isValid = (token: string | undefined) =>
      options.keyIsToken ? token === options.clientSecret : tokens.isValid(token);
    function sell({ id, secret }: Fields): apps.AppAnswer {
      if (id !== options.clientId || secret !== options.clientSecret) return refuse(401, 'client');
      const life = { token_type: 'Bearer', expires_in: 3_600 };
      return apps.jsonAnswer(200, { access_token: tokens.issue(), ...life });
    }

    function switchProducts(shop: string, body: Fields, scripted: readonly string[] = []) {
      const ids = [...textsIn(body['off']), ...textsIn(body['on'])];
      if (ids.length === 0 || ids.length > 50) return refuse(400, 'ids');
      const unknown = [...stores.unknownItems(shop, ids), ...scripted];
      const known = (key: string) => textsIn(body[key]).filter((id) => !unknown.includes(id));
      stores.switchItems(shop, known('off').map(untilTold), known('on'));
      return apps.jsonAnswer(200, { unknown });
    }

    return {
      name: 'example-app',
      description: 'App E: /shops/{shop}, token at POST /token.',
      ownFaults: ['item_failed'],
      knows: (shop) => apps.isKnownStore(shop, options),
      reader: {
        keepsOff: false,
        itemIds: (menu) => new Set(productsIn(menu).map(({ id }) => String(id))),
        offIn: (menu) =>
          productsIn(menu).flatMap(({ id, on }) => (on ? [] : [untilTold(String(id))])),
      },
      routeOf: (method, path) =>
        path === '/token' ? 'token' : SHOP.test(path) ? ROUTES[method as 'PUT'] : undefined,
      storeOf,
      answer(call): apps.AppAnswer {
        const [shop, body, payload] = [storeOf(call), parse(call.body), call.body];
        if (call.route === 'token') return sell(body);
        if (!isValid(bearerOf(call))) return refuse(401, 'token');
        if (!apps.isKnownStore(shop, options)) return refuse(404, 'no_shop');
        if (call.route === 'availability') return switchProducts(shop, body, call.fault?.ids);
        if (call.route === 'upload') {
          const broken = violations(body);
          if (broken.length > 0) return refuse(400, broken.join(', '));
          const taken = apps.jsonAnswer(200, { taken: body['id'] });
          return { ...taken, accepted: { storeId: shop, payload } };
        }
        if (call.route === 'pause') {
          if (typeof body['open'] !== 'boolean') return refuse(400, 'open');
          stores.pause(shop, { paused: !body['open'], until: null, reason: null });
          return apps.jsonAnswer(200, {});
        }
        const shown = menus.current(shop)?.payload;
        return shown ? { status: 200, body: shown.toString() } : refuse(404, 'no_menu');
      },
      expireToken(call) {
        tokens.kill(bearerOf(call));
        return refuse(401, 'token');
      },
    };
  };
}

/** Every rule of the app that a menu breaks. */
export function violations(payload: unknown): readonly string[] {
  const menu = fieldsOf(payload);
  const lists = [menu['hours'], menu['sections'], menu['products']];
  const [hours = [], sections = [], products = []] = lists.map(objectsIn);
  const choices = products.map((product) => objectsIn(product['choices']));
  const options = choices.flat().flatMap((choice) => objectsIn(choice['of']));
  const sold: unknown[] = sections.flatMap((section) => textsIn(section['products']));
  sold.push(...options.map(({ product }) => product));
  const idLists = [sections, products, ...choices].map((list) => list.map(({ id }) => id));
  const rules: Readonly<Record<string, boolean>> = {
    lists: lists.every(Array.isArray),
    titles: [menu, ...sections, ...products, ...choices.flat()].every((one) => one['title']),
    ids: idLists.every((ids) => new Set(ids).size === ids.length),
    hours: hours.length > 0 && hours.every(({ from, to }) => String(from) < String(to)),
    cents: [...products, ...options].every(({ cents }) => Number.isInteger(cents)),
    photos: products.every(({ photo = 'https://x' }) => /^https:\/\/./i.test(String(photo))),
    on: products.every(({ on }) => typeof on === 'boolean'),
    products: sold.every((id) => products.some((product) => product['id'] === id)),
    limits: choices.flat().every(({ min, max }) => Number(min) <= Number(max)),
  };
  return Object.keys(rules).filter((rule) => !rules[rule]);
}

const bearerOf = ({ headers }: apps.AppCall) => headers.authorization?.replace('Bearer ', '');
const storeOf = ({ path }: apps.AppCall) => decodeURIComponent(SHOP.exec(path)?.[1] ?? '');
const refuse = (status: number, error: string) => apps.jsonAnswer(status, { error });
const untilTold = (id: string) => ({ id, until: null });
const productsIn = (menu: Buffer) => objectsIn(parse(menu)['products']);
const parse = (body: Buffer): Fields => fieldsOf(parseJson(body.toString('utf8')));
