import { gzipSync } from 'node:zlib';
import { createAppA } from '../../dev/sandbox/app-a/app-a';
import { describeWrongAdapters } from './describe-wrong-adapters';
import type { WrongAdapter } from './judge-adapter';
import { body, headers, method, url, where } from './spoil';

const TOKEN = /POST .*\/oauth\//;
const PUSH = /PUT .*\/menus$/;
const ITEM = /\/menus\/items\//;
const STATUS = /\/status$/;

const calls: readonly WrongAdapter[] = [
  ...(
    [
      ['a JSON body', headers({ 'content-type': 'application/json' }), 'invalid_request'],
      [
        'another grant',
        body((text) => text.replace('client_credentials', 'password')),
        'invalid_grant',
      ],
      ['no scope', body((text) => text.replace(/&scope=[^&]*/, '')), 'invalid_scope'],
      ['another secret', body((text) => text.replace('=secret', '=other')), 'invalid_client'],
    ] as const
  ).map(([what, change, found]) => ({
    what: `asks for a token with ${what}`,
    request: where(TOKEN, change),
    found: `no token: ${found}`,
  })),
  {
    what: 'asks for a token for something else',
    request: where(
      TOKEN,
      body((text) => text.replace('eats.store', 'eats.order')),
    ),
    found: 'rejected ["The token does not have the scope',
  },
  {
    what: 'sends no token',
    request: where(PUSH, headers({ authorization: undefined })),
    found: 'token_expired',
  },
  {
    what: 'sends the token bare',
    request: where(PUSH, (right) =>
      headers({ authorization: right.headers?.['authorization']?.slice(7) })(right),
    ),
    found: 'token_expired',
  },
  { what: 'posts the menu', request: where(PUSH, method('POST')), found: 'rejected ["not_found' },
  { what: 'takes an older path', request: where(PUSH, url('/v2/', '/v1/')), found: 'rejected [' },
  {
    what: 'writes the store id without its dashes',
    request: where(PUSH, (right) => ({
      ...right,
      url: right.url.replaceAll('-', '').replace('appa', 'app-a'),
    })),
    found: 'rejected ["invalid uuid',
  },
  {
    what: 'compresses and does not say so',
    request: where(
      PUSH,
      body((text) => gzipSync(text)),
    ),
    found: 'rejected ["The body is not JSON',
  },
  {
    what: 'says that it compresses and does not',
    request: where(PUSH, headers({ 'content-encoding': 'gzip' })),
    found: 'rejected [',
  },
  ...(
    [
      [
        'sends the title of an item',
        '{',
        '{"title":{},',
        'change rejected ["Invalid Request: title',
      ],
      [
        'sends its classifications as a menu has them',
        /"classifications":(\{.*?\}\}?)/,
        '"dish_info":{"classifications":$1}',
        'change rejected ["Invalid Request: dish_info',
      ],
      [
        'sends a negative price',
        '"price":16000',
        '"price":-1',
        'change rejected ["Invalid Price Info',
      ],
      [
        'sends a price with decimals',
        '"price":16000',
        '"price":160.5',
        'change rejected ["Invalid',
      ],
      ['loses a price', '"price":16000', '"price":15000', 'changes otherwise: '],
      [
        'sends prices without those of their places',
        /"overrides":\[\{.*?\}\]/,
        '"overrides":[]',
        'changes otherwise: ',
      ],
      [
        'loses the units of alcohol',
        '"alcoholic_items":2',
        '"alcoholic_items":1',
        'changes otherwise: ',
      ],
      [
        'loses the strength',
        '"alcohol_by_volume":500',
        '"alcohol_by_volume":450',
        'changes otherwise: ',
      ],
      [
        'loses that it serves alone',
        '"can_serve_alone":false',
        '"can_serve_alone":true',
        'changes otherwise: ',
      ],
      ['loses allergens', '["MILK"]', '["GLUTEN","MILK"]', 'changes otherwise: '],
      ['keeps a diet', '"labels":[]', '"labels":["VEGETARIAN"]', 'changes otherwise: '],
      ['loses calories', '70000000,', '69000000,', 'changes otherwise: '],
      ['loses a barcode', '96385074', '4006381333931', 'changes otherwise: '],
      [
        'loses a deposit',
        '"container_deposit":400',
        '"container_deposit":300',
        'changes otherwise: ',
      ],
      [
        'takes what it changes off sale',
        '{"price_info"',
        '{"suspension_info":{"suspension":{"suspend_until":8640000000}},"price_info"',
        'changes otherwise: takes',
      ],
    ] as const
  ).map(([what, from, to, found]) => ({
    what: `in a change, ${what}`,
    request: where(
      ITEM,
      body((text) => (text.includes('suspension_info') ? text : text.replace(from, to))),
    ),
    found,
  })),
  {
    what: 'changes another item',
    request: where(ITEM, (right) =>
      String(right.body).includes('suspension_info')
        ? right
        : url(/items\/[^/]+$/, 'items/nothing')(right),
    ),
    found: 'change rejected ["The item was not found',
  },
  { what: 'puts an item', request: where(ITEM, method('PUT')), found: 'change rejected' },
  {
    what: 'does not escape the id of an item',
    request: where(ITEM, url('%2F', '/')),
    found: 'switch rejected',
  },
  {
    what: 'counts the end of a suspension in ms',
    request: where(
      ITEM,
      body((text) => text.replace(/(until":\d{10}),/, '$1000,')),
    ),
    found: 'switches otherwise',
  },
  {
    what: 'forgets a level of the suspension',
    request: where(
      ITEM,
      body((text) =>
        text.includes('suspension_info')
          ? text.replace('{"suspension":', '').replace('}}}', '}}')
          : text,
      ),
    ),
    found: 'switch rejected ["Invalid Request: suspension_info',
  },
  {
    what: 'pauses with the token for menus',
    request: where(
      TOKEN,
      body((text) => text.replace('eats.store.status.write', 'eats.store')),
    ),
    found: 'pause rejected ["The token does not have the scope',
  },
  {
    what: 'pauses with a token for nothing but pauses',
    request: where(
      TOKEN,
      body((text) => text.replace(/eats\.store(\+|%20)(?=eats\.store\.status)/, '')),
    ),
    found: 'pause rejected ["The token does not have the scope eats.store.',
  },
  {
    what: 'pauses under the path of menus',
    request: where(STATUS, url('/v1/eats/store/', '/v2/eats/stores/')),
    found: 'pause rejected',
  },
  {
    what: 'pauses by another word',
    request: where(
      STATUS,
      body((text) => text.replace('PAUSED', 'OFFLINE')),
    ),
    found: 'pause rejected ["Invalid Request: status',
  },
];

describeWrongAdapters({
  app: { name: 'app-a', menus: 2, simulate: createAppA, endsSuspensions: true },
  wrong: calls,
  rules: [
    'invalid uuid',
    'invalid_request',
    'invalid_client',
    'invalid_grant',
    'invalid_scope',
    'does not have the scope',
    'token_expired',
  ],
});
