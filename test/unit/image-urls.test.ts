import { validateMenu as validateForB } from '../../dev/sandbox/app-b/validate-menu';
import { validateMenu as validateForD } from '../../dev/sandbox/app-d/validate-menu';
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
  test.each([
    ['https://images.example/1.png', 'https://images.example/1.png'],
    ['HTTPS://Images.Example:443/1.png?a=b c', 'https://images.example/1.png?a=b%20c'],
    ['https://images.example', 'https://images.example/'],
    ['https://images.example/piñata/../taco 1.png', 'https://images.example/taco%201.png'],
    ['https://bücher.example/ä.png#ü', 'https://xn--bcher-kva.example/%C3%A4.png#%C3%BC'],
    [' https://images.example/1.png', 'https://images.example/1.png'],
    ['\thttps://images.example/1.png', 'https://images.example/1.png'],
    ['ht\ntps://images.example/1.png', 'https://images.example/1.png'],
    ['https:images.example/1.png', 'https://images.example/1.png'],
    ['https:/images.example/1.png', 'https://images.example/1.png'],
    ['https:\\\\images.example/1.png', 'https://images.example/1.png'],
  ])('goes out as the URL standard writes it: %j', (url, sent) => {
    const { payload, losses } = transform(app, url);
    expect(losses.map(({ code }) => code)).not.toContain('image_out_of_rules');
    const shown = adapterOf(app).readShown(payload, { store: STORE, sentMenus: [] });
    expect(shown.items.map(({ image_url: image }) => image)).toEqual([sent]);
    const taken = JSON.parse(JSON.stringify(payload)) as object;
    expect(app === 'app-b' ? validateForB(taken) : []).toEqual([]);
    expect(app === 'app-d' ? validateForD(taken) : []).toEqual([]);
  });

  test.each([
    'http://images.example/1.png',
    'ftp://images.example/1.png',
    'data:image/png;base64,iVBORw0KGgo=',
    '//images.example/1.png',
    'https://',
    'https:// images.example/1.png',
    'https://images.example:99999/1.png',
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
    const refusals = app === 'app-b' ? validateForB(JSON.parse(JSON.stringify(payload))) : [];
    expect(refusals).toEqual([]);
  });
});
