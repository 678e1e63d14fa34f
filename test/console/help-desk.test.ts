import { DEMO_TOKEN, type Demo, prepareDemo } from '../support/demo';
import { type BrowserPage, inBrowser, startBrowser } from '../support/browser';
import { type HelpDeskWorld, makeHelpDeskWorld } from '../support/help-desk-world';

/*
 * The twelve calls of docs/help-desk.md, each answered from the first page with three clicks at most, in a whole service
 * as `npm start` runs it. A click is a link, a button, or Enter in Find.
 */

const MOST_CLICKS = 3;

const [describeInBrowser, title] = inBrowser('the twelve calls of the help desk');

describeInBrowser(title, () => {
  let demo: Demo;
  let page: BrowserPage;
  let world: HelpDeskWorld;

  beforeAll(async () => {
    demo = await prepareDemo();
    await demo.start();
    world = await makeHelpDeskWorld(demo, DEMO_TOKEN);
    page = await startBrowser();
    await page.open(`${demo.apiUrl}/console/sign-in`);
    await page.evaluate(`document.querySelector('[name=token]').value = '${DEMO_TOKEN}'`);
    await page.follow(`document.querySelector('main form, form').requestSubmit()`);
  }, 300_000);
  afterAll(async () => {
    await page?.close();
    await demo?.remove();
  }, 60_000);

  /** Goes there from the first page, a step a click; the text of the page that it ends on. */
  async function textAfter(steps: readonly string[]): Promise<string> {
    await page.open(`${demo.apiUrl}/console`);
    for (const step of steps) {
      const [verb, words = ''] = step.split(/: (.*)/s);
      if (verb === 'find') {
        await page.evaluate(
          `document.querySelector('.find input').value = ${JSON.stringify(words)}`,
        );
        await page.follow(`document.querySelector('.find').requestSubmit()`);
      } else if (verb === 'item' || verb === 'store') {
        await page.evaluate(`document.querySelector('.filter [name=${verb}]').value = '${words}'`);
        await page.follow(`document.querySelector('.filter').requestSubmit()`);
      } else {
        const links = `[...document.querySelectorAll('a')].filter((a) => a.textContent.includes(${JSON.stringify(words)}))`;
        if (!(await page.evaluate(`${links}.length > 0`))) throw new Error(`no ${step}`);
        await page.follow(`${links}[0].click()`);
      }
    }
    return page.evaluate<string>(`document.querySelector('main').innerText`);
  }

  test.each([
    [
      'my new menu is not in the app',
      ['link: La Esquina'],
      [/waits since/, /does not answer/, /status 503/, /What to do: Nothing; it is tried again/],
    ],
    [
      'the app refused my menu',
      ['link: Pizzeria Roma'],
      [
        /The last menu failed/,
        /guests still see what they saw before/,
        /What to do: The messages say why/,
      ],
    ],
    [
      'a dish is missing, and a promotion is not shown',
      ['find: Sushi Norte', 'link: The menu as guests see it'],
      [
        /Lemonade\s+35\.00\s+.*The POS took it off sale/s,
        /Burger.*promotion price is not supported/s,
      ],
    ],
    [
      'why is this dish missing in App B',
      ['find: Sushi Norte', 'item: lemonade'],
      [/Lemonade\s+35\.00\s+off sale now since .*The POS took it off sale/s],
    ],
    [
      'why is this dish nowhere',
      ['find: tacos de nopal', 'store: sushi norte'],
      [
        /Guests of this app do not see “tacos de nopal”/,
        /The menu that is live here has no such item/,
      ],
    ],
    [
      'who changed the price, and when',
      ['find: Cafe Sol'],
      [/ago\s+The menu went live in App B\s+uploaded\s+Demo user/],
    ],
    [
      'what did they change',
      ['find: Cafe Sol', 'link: The menu went live', 'link: What it changed'],
      [/burger.*129\.00\s+199\.00/s],
    ],
    [
      'did the sale reach the stock system',
      ['find: Taqueria Uno'],
      [/acknowledged\s+taco-al-pastor −1, 7 left\s+Bodega Sur/s],
    ],
    [
      'did the sale of this item reach it, in whatever store',
      ['find: taco-al-pastor'],
      [/dlv_.*acknowledged\s+taco-al-pastor −1, 7 left\s+Bodega Sur\s+Taqueria Uno/s],
    ],
    [
      'our stock system gets nothing',
      ['link: Bodega Sur'],
      [
        /paused/,
        /The last attempt: The receiver answered with status 500, an error of its own/,
        /Tell whoever runs/,
      ],
    ],
    [
      'nobody can order',
      [],
      [
        /El Faro \(8\)\s+App B[^\n]*\s+paused.*Guests cannot order.*No gas in the kitchen.*press “Resume”/s,
      ],
    ],
    [
      'nobody can order: the store',
      ['find: El Faro'],
      [/The store is paused/, /No gas in the kitchen/, /press “Resume”/],
    ],
    [
      'a dish is sold out, and there is plenty',
      ['find: Mercado Dos'],
      [/soup since .*The stock system says that there is none left/s],
    ],
    [
      'the app shows what was never sent',
      ['link: Casa Lola'],
      [
        /Somebody changed the menu in the delivery app itself/,
        /“Soup of yesterday” instead of “Soup of the day”/,
      ],
    ],
    [
      'here is the request id of our gateway',
      ['find: gw-20261128-000771'],
      [/Gran Via/, /uploaded|superseded/],
    ],
    [
      'headquarters sent a menu to all, and we have none',
      ['link: Those that failed'],
      [/Done, 1 of 2 failed/, /El Faro.*failed.*scripted/s],
    ],
    [
      'what would the menu that failed have changed',
      ['link: Pizzeria Roma', 'link: What the failed menu would change'],
      [/burger.*129\.00\s+139\.00/s],
    ],
    [
      'your message was wrong',
      ['find: Taqueria Uno', 'link: dlv_'],
      [/quesadilla/, /Unknown product code/, /webhook-signature/],
    ],
  ] as const)('%s', async (_call, steps, answers) => {
    expect(steps.length).toBeLessThanOrEqual(MOST_CLICKS);
    const text = await textAfter(steps);
    for (const answer of answers) expect(text).toMatch(answer);
    expect(page.complaints).toEqual([]);
  });

  test('each call has a store or a system of its own', () => {
    expect(Object.keys(world.stores)).toHaveLength(10);
  });
});
