import { createAppB } from '../../dev/sandbox/app-b/app-b';
import { describeWrongAdapters } from './describe-wrong-adapters';
import type { WrongAdapter } from './judge-adapter';
import { body, method, where } from './spoil';

const CHANGES = /\/items$/;

const changes: readonly WrongAdapter[] = [
  ...(
    [
      ['puts changes', method('PUT'), 'change rejected ["not_found'],
      [
        'leaves the id of a changed item out',
        body((text) => text.replace('"id":"I1",', '')),
        'change rejected ["missing_field /items/0/id',
      ],
      [
        'sends a barcode with a change',
        body((text) => text.replace('"name"', '"ean":"96385074","name"')),
        'change rejected ["unknown_field /items/0/ean',
      ],
      [
        'changes a price in hundredths',
        body((text) => text.replace('"160.00"', '"16000"')),
        'change rejected ["invalid_price /items/0/price',
      ],
      [
        'changes an item by another id',
        body((text) => text.replace('"I1"', '"i1"')),
        'change rejected ["I1: ',
      ],
      [
        'changes an option of another group',
        body((text) => text.replace('"group_id":"G1"', '"group_id":"G2"')),
        'change rejected ["G1 X1: ',
      ],
      ['loses a name', body((text) => text.replace(/"name":"[^"]*",/, '')), 'changes otherwise: '],
      [
        'loses the end of a text',
        body((text) => text.replace('"description":null,', '')),
        'changes otherwise: ',
      ],
      [
        'loses another image',
        body((text) => text.replace(/"image_url":"[^"]*",/, '')),
        'changes otherwise: ',
      ],
      [
        'loses a price',
        body((text) => text.replace(/,"price":"160.00"/, '')),
        'changes otherwise: ',
      ],
      [
        'loses the price of an option',
        body((text) => text.replace(/,"options":\[.*?\]/, '')),
        'change rejected ["G1 X1: ',
      ],
    ] as const
  ).map(([what, request, found]) => ({ what, request: where(CHANGES, request), found })),
  {
    what: 'sends more changes than a call takes',
    request: where(
      CHANGES,
      body(() =>
        JSON.stringify({
          items: Array.from({ length: 101 }, (_, n) => ({ id: `I${n}`, price: '1.00' })),
        }),
      ),
    ),
    found: 'change rejected ["too_many_items',
  },
];

describeWrongAdapters({
  app: { name: 'app-b', menus: 1, simulate: createAppB },
  wrong: changes,
  rules: ['missing_field', 'unknown_field', 'invalid_price', 'too_many_items'],
});
