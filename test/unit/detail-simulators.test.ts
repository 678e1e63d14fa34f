import { firstBrokenRule } from '../../dev/sandbox/app-a/validate-menu';
import { validateMenu as validateForAppB } from '../../dev/sandbox/app-b/validate-menu';
import { validateMenu as validateForAppC } from '../../dev/sandbox/app-c/validate-menu';
import { validateMenu as validateForAppD } from '../../dev/sandbox/app-d/validate-menu';
import { bar, EVERYTHING, sent } from './detail-menus';

function payloadOf(app: string): string {
  return JSON.stringify(sent(app, bar(EVERYTHING)).payload);
}

describe('the simulators refuse', () => {
  test.each([
    ['a tax above 100 %', '"vat_rate_percentage":16', '"vat_rate_percentage":101'],
    ['two taxes', '"vat_rate_percentage":16', '"vat_rate_percentage":16,"tax_rate":16'],
    ['labels of another source', '"MANUAL"', '"AUTO"'],
    ['a diet without a word', '"VEGAN"', '"HALAL"'],
    ['allergens in small letters', '"GLUTEN"', '"gluten"'],
    ['half an item of alcohol', '"alcoholic_items":1', '"alcoholic_items":0.5'],
    ['a mark as text', '"can_serve_alone":false', '"can_serve_alone":"no"'],
    ['more than pure alcohol', '"alcohol_by_volume":450', '"alcohol_by_volume":10001'],
    ['an interval turned around', '"lower":25000000', '"lower":35000000'],
    ['another way to show energy', '"multiple_items"', '"many"'],
    ['a barcode that is too short', '"gtin":"4006381333931"', '"gtin":"4006381"'],
    ['a bundle of what is not there', '"item_id":"I2"', '"item_id":"I9"'],
    ['a bundle of none', '"included_quantity":2', '"included_quantity":0'],
    ['a deposit with decimals', '"container_deposit":100', '"container_deposit":1.5'],
  ])('in App A %s', (_, right, wrong) => {
    const payload = payloadOf('app-a');
    expect(firstBrokenRule(JSON.parse(payload))).toBeNull();
    expect(payload).toContain(right);
    expect(firstBrokenRule(JSON.parse(payload.replace(right, wrong)))).not.toBeNull();
  });

  test('in App B an ean of letters', () => {
    const payload = payloadOf('app-b');
    expect(validateForAppB(JSON.parse(payload))).toEqual([]);
    const wrong = payload.replace('"ean":"4006381333931"', '"ean":"none"');
    expect(validateForAppB(JSON.parse(wrong))).toMatchObject([{ path: '/items/0/ean' }]);
  });

  test.each([
    ['has_wine is invalid', '"has_wine":1', '"has_wine":2'],
    ['tax_info_list rate is invalid', '"rate":1600', '"rate":800'],
    ['tax_info_list rate is invalid', '"type":2,"rate":800', '"type":2,"rate":10001'],
    ['tax_info_list type is invalid', '"type":2', '"type":3'],
    ['tax_info_list type is repeated', '"type":2,"rate":800', '"type":1,"rate":0'],
    ['activity_price is not allowed on alcohol', '"has_wine":1', '"has_wine":1,"activity_price":1'],
  ])('in App C: %s', (sentence, right, wrong) => {
    const payload = payloadOf('app-c');
    expect(validateForAppC(JSON.parse(payload))).toBeUndefined();
    expect(payload).toContain(right);
    expect(validateForAppC(JSON.parse(payload.replace(right, wrong)))).toContain(sentence);
  });

  test('in App D a combo that is not a boolean', () => {
    const payload = payloadOf('app-d');
    expect(validateForAppD(JSON.parse(payload))).toEqual([]);
    const wrong = payload.replace('"combo":true', '"combo":"yes"');
    expect(validateForAppD(JSON.parse(wrong))).toMatchObject([{ rule: 'fields' }]);
  });
});
