import { createAppA } from '../../dev/sandbox/app-a/app-a';
import { createAppB } from '../../dev/sandbox/app-b/app-b';
import { createAppC } from '../../dev/sandbox/app-c/app-c';
import { createAppD, rappiIdOf } from '../../dev/sandbox/app-d/app-d';
import { describeWrongAdapters } from './describe-wrong-adapters';
import type { WrongAdapter } from './judge-adapter';
import type { JudgedApp } from './judged-shop';
import { body, url, where } from './spoil';

const REFUSED = 'special days rejected';
const OTHERS = 'sets other special days';

/** Adapters that send another text in the place of what matches in the bodies of their calls about special days. */
function wrongBodies(
  calls: RegExp,
  rows: readonly (readonly [what: string, from: string | RegExp, to: string, found: string])[],
): WrongAdapter[] {
  return rows.map(([what, from, to, found]) => ({
    what,
    request: where(
      calls,
      body((text) => text.replaceAll(from, to)),
    ),
    found,
  }));
}

const A = /\/holiday-hours$/;
const appA: readonly WrongAdapter[] = [
  ...wrongBodies(A, [
    ['forgets the level of the days', /^\{"holiday_hours":(.*)\}$/g, '$1', REFUSED],
    [
      'closes a day by no hours',
      '[{"start_time":"00:00","end_time":"00:00"}]',
      '[]',
      `${REFUSED} ["Invalid Request: holiday_hours`,
    ],
    ['sends the day first', '2030-12-24', '24-12-2030', REFUSED],
    ['names the hours as those of menus', 'open_time_periods', 'time_periods', REFUSED],
    [
      'turns start and end around',
      '"10:00","end_time":"15:00"',
      '"15:00","end_time":"10:00"',
      REFUSED,
    ],
    ['forgets a day', /,"2030-12-25":\{[^}]*\}\]\}/g, '', OTHERS],
  ]),
  {
    what: 'writes to the path of the status',
    request: where(A, url('/stores/', '/store/')),
    found: REFUSED,
  },
];

const B = /\/special-days$/;
const appB: readonly WrongAdapter[] = wrongBodies(B, [
  ['says closed as text', '"closed":true', '"closed":"true"', `${REFUSED} ["wrong_day /days/1`],
  ['names the hours as the app does not', '"start"', '"from"', `${REFUSED} ["wrong_day /days/0`],
  ['repeats a day', '2030-12-25', '2030-12-24', `${REFUSED} ["wrong_day /days/1`],
  ['sends the list alone', /^\{"days":(.*)\}$/g, '$1', `${REFUSED} ["missing_field /days`],
  ['is closed and has periods', '"closed":true', '"closed":true,"periods":[]', REFUSED],
  ['forgets the hours behind a break', ',{"start":"18:00","end":"23:59"}', '', OTHERS],
]);

const C = /shop\/update$/;
const PARAMETER = `${REFUSED} ["parameter error (errno 10002)`;
const appC: readonly WrongAdapter[] = wrongBodies(C, [
  ['is closed by no hours alone', '"restAllDay":true', '"restAllDay":false', PARAMETER],
  ['names the hours as those of items', '"bizTime"', '"time"', PARAMETER],
  ['names the days as no field', 'biz_holiday_time', 'holiday_time', PARAMETER],
  ['turns begin and end around', '"10:00","end":"15:00"', '"15:00","end":"10:00"', PARAMETER],
  ['sends the day first', '2030-12-24', '24-12-2030', PARAMETER],
  ['forgets a day', ',{"bizHoliday":"2030-12-25","restAllDay":true,"bizTime":[]}', '', OTHERS],
]);

const D = /\/special(\/\d+)?$/;
const UNPROCESSABLE = `${REFUSED} ["Unprocessable entity`;
const appD: readonly WrongAdapter[] = [
  ...wrongBodies(D, [
    ['sends times without seconds', ':00"', '"', UNPROCESSABLE],
    ['gives a day no name', /"name":"[^"]*"/g, '"name":""', UNPROCESSABLE],
    ['turns day and month around', '"day":24,"month":12', '"day":12,"month":24', UNPROCESSABLE],
    ['sends the year', '{"day"', '{"year":2030,"day"', UNPROCESSABLE],
    ['counts months from zero', '"month":12', '"month":11', OTHERS],
  ]),
  {
    what: 'names the store by another number',
    request: where(D, url(/schedule\/\d+/, 'schedule/1')),
    found: `${REFUSED} ["Store not found`,
  },
  {
    what: 'deletes no day',
    request: where(/DELETE .*\/special\//, (request) => ({
      ...request,
      method: 'GET',
      url: request.url.replace(/\/\d+$/, ''),
    })),
    found: `${REFUSED} ["There is a special schedule for this day`,
  },
];

const APPS: readonly (readonly [app: JudgedApp, wrong: readonly WrongAdapter[]])[] = [
  [{ name: 'app-a', menus: 2, simulate: createAppA, endsSuspensions: true }, appA],
  [{ name: 'app-b', menus: 1, simulate: createAppB }, appB],
  [
    {
      name: 'app-c',
      menus: 1,
      simulate: (options) => createAppC(options),
      keepsLastSpecialDay: true,
      credentialOf: (appStoreId) => ({ app_shop_id: appStoreId }),
    },
    appC,
  ],
  [
    {
      name: 'app-d',
      menus: 1,
      simulate: (options) => createAppD(options),
      credentialOf: (appStoreId) => ({ rappi_store_id: String(rappiIdOf(appStoreId)) }),
    },
    appD,
  ],
];

describe.each(APPS)('special days of $name', (app, wrong) => {
  describeWrongAdapters({ app, wrong, rules: [] });
});
