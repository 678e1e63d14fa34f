import { validateMenu } from '../../dev/sandbox/app-b/validate-menu';
import { adapterOf } from '../../src/delivery-apps/registry';
import { APP_NAMES } from '../../src/delivery-apps/types';
import { category, item, menu, STORE } from './app-a-menus';

function transform(app: string, image_url: string) {
  return adapterOf(app).transform({
    store: STORE,
    menu: {
      menus: [menu('M1', ['C1'])],
      categories: [category('C1', [{ item_external_id: 'I1' }])],
      items: [{ ...item('I1', '1000'), image_url }],
      modifier_groups: [],
    },
  });
}

describe.each(APP_NAMES)('the image of an item for %s', (app) => {
  test.each(['https://images.example/1.png', 'HTTPS://images.example/1.png?a=b c'])(
    'is sent unchanged: %j',
    (url) => {
      const { payload, losses } = transform(app, url);
      expect(JSON.stringify(payload)).toContain(JSON.stringify(url));
      expect(losses.map(({ code }) => code)).not.toContain('image_out_of_rules');
    },
  );

  test.each([
    'http://images.example/1.png',
    ' https://images.example/1.png',
    '\thttps://images.example/1.png',
    'ht\ntps://images.example/1.png',
    'https:images.example/1.png',
    'https:/images.example/1.png',
    'https:\\\\images.example/1.png',
    '//images.example/1.png',
    'https://',
    '1.png',
  ])('is left out with a warning: %j', (url) => {
    const { payload, losses } = transform(app, url);
    expect(JSON.stringify(payload)).not.toContain(JSON.stringify(url));
    expect(losses).toContainEqual(
      expect.objectContaining({
        code: 'image_out_of_rules',
        severity: 'warn',
        pointer: '/items/0',
        external_id: 'I1',
      }),
    );
    const refusals = app === 'app-b' ? validateMenu(JSON.parse(JSON.stringify(payload))) : [];
    expect(refusals).toEqual([]);
  });
});
