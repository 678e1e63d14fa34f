/*
 * What the pages of the console do beyond HTML: each shows its times in the reader's zone, and refreshes itself while
 * somebody looks at it and nobody reads or types. Without this script a page shows the same, as it was when it was made.
 */
(() => {
  const EVERY_MS = 10_000;
  const TIMEOUT_MS = 15_000;

  const main = document.querySelector('main');
  const footer = document.querySelector('body > footer');
  const notice = document.querySelector('#notice');
  if (!main || !footer || !notice) return;

  /* Times */

  const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
  const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
  const dayAndYear = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' });
  const relative = new Intl.RelativeTimeFormat('en');
  /** Units of relative times with their length, s, and up to which many of them they are used. */
  const UNITS = [
    ['second', 1, 90],
    ['minute', 60, 90],
    ['hour', 3_600, 36],
    ['day', 86_400, 60],
    ['month', 2_629_746, 18],
    ['year', 31_556_952, Infinity],
  ];

  function ago(at, now) {
    const seconds = (at - now) / 1_000;
    const [unit, length] = UNITS.find(([, size, most]) => Math.abs(seconds) < size * most);
    const count = Math.round(seconds / length);
    return unit === 'second' && Math.abs(count) < 10 ? 'now' : relative.format(count, unit);
  }

  function inZone(at, now) {
    if (at.toDateString() === now.toDateString()) return clock.format(at);
    const date = at.getFullYear() === now.getFullYear() ? day.format(at) : dayAndYear.format(at);
    return `${date}, ${clock.format(at)}`;
  }

  /** `12:04, 3 minutes ago` in two parts, between which a narrow column breaks. */
  function showTimes(root) {
    const now = new Date();
    for (const time of root.querySelectorAll('time[datetime]')) {
      const at = new Date(time.dateTime);
      if (time.dataset.clock !== undefined) {
        setText(time, clock.format(at));
        continue;
      }
      if (!time.title) time.title = `${at.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
      const [zoned, since] = [`${inZone(at, now)},`, ago(at, now)];
      if (time.children.length === 2) {
        setText(time.children[0], zoned);
        setText(time.children[1], since);
      } else {
        time.replaceChildren(partOf(zoned), ' ', partOf(since));
      }
    }
  }

  function partOf(text) {
    const part = document.createElement('span');
    part.textContent = text;
    return part;
  }

  function setText(element, text) {
    if (element.textContent !== text) element.textContent = text;
  }

  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const zoneWords = footer.querySelector('[data-zone]');
  if (zoneWords)
    zoneWords.textContent = `Times are of your zone (${zone}); each says its UTC under the pointer.`;

  /* Refreshing */

  let etag = footer.dataset.etag;
  let lastAt = Date.now();
  let isAsking = false;
  /** The details that the page itself opened. */
  let opened = openDetails();

  function openDetails() {
    return new Set(main.querySelectorAll('details[open]'));
  }

  function isChanged(field) {
    if (field.type === 'hidden') return false;
    if (field.localName === 'select') {
      const options = [...field.options];
      const initial = options.findIndex((each) => each.defaultSelected);
      return field.selectedIndex !== Math.max(initial, 0);
    }
    if (field.type === 'checkbox' || field.type === 'radio')
      return field.checked !== field.defaultChecked;
    return field.value !== field.defaultValue;
  }

  /** Somebody reads closely, types, or is about to do something: what they look at stays as it is. */
  function isInUse() {
    const focused = document.activeElement;
    const selection = document.getSelection();
    return (
      (main.contains(focused) && focused.matches('input, select, textarea')) ||
      (selection && !selection.isCollapsed && main.contains(selection.anchorNode)) ||
      document.querySelector('dialog[open]') !== null ||
      [...openDetails()].some((each) => !opened.has(each)) ||
      [...main.querySelectorAll('input, select, textarea')].some(isChanged)
    );
  }

  /** What an element is called, by which it is found again on the page that comes in its place. */
  function nameOf(element) {
    const form = element.localName === 'summary' && element.parentElement.querySelector('form');
    return [
      element.localName,
      element.getAttribute('href') ?? element.getAttribute('aria-label') ?? element.textContent,
      form ? new URLSearchParams(new FormData(form)).toString() : '',
    ].join(' ');
  }

  function twinOf(element, root) {
    const name = nameOf(element);
    return [...root.querySelectorAll(element.localName)].find((each) => nameOf(each) === name);
  }

  /** Puts other content in the place of the present one: the focus, and what is in view, stay where they are. */
  function replace(next) {
    const focused = main.contains(document.activeElement) ? document.activeElement : null;
    const focusedNext = focused && twinOf(focused, next);
    // Who is at this element by keyboard would lose it.
    if (focused && !focusedNext) return false;
    const inView =
      window.scrollY > 0
        ? [...main.querySelectorAll('a[href]')].find(
            (each) => each.getBoundingClientRect().top >= 0,
          )
        : undefined;
    const top = inView?.getBoundingClientRect().top;
    const inViewNext = inView && twinOf(inView, next);
    const scrolled = [...main.querySelectorAll('.scroll')].map((each) => [
      twinOf(each, next),
      each.scrollLeft,
    ]);
    main.replaceChildren(...next.childNodes);
    showTimes(main);
    for (const [region, left] of scrolled) if (region) region.scrollLeft = left;
    focusedNext?.focus({ preventScroll: true });
    if (inViewNext)
      window.scrollBy({ top: inViewNext.getBoundingClientRect().top - top, behavior: 'instant' });
    opened = openDetails();
    return true;
  }

  function say(...words) {
    if (notice.textContent === words.map((each) => each.textContent ?? each).join('')) return;
    notice.replaceChildren(...words);
  }

  function linkTo(href, words) {
    const link = document.createElement('a');
    link.href = href;
    link.textContent = words;
    return link;
  }

  async function ask() {
    const patience = new AbortController();
    const timer = setTimeout(() => patience.abort(), TIMEOUT_MS);
    try {
      const answer = await fetch(location.href, {
        headers: { 'If-None-Match': `"${etag}"` },
        redirect: 'manual',
        signal: patience.signal,
      });
      return { answer, text: answer.status === 200 ? await answer.text() : '' };
    } finally {
      clearTimeout(timer);
    }
  }

  async function refresh() {
    const { answer, text } = await ask();
    if (answer.type === 'opaqueredirect') {
      const next = new URLSearchParams({ next: location.pathname + location.search });
      say(
        'Your session has ended, so this page shows what it knew. ',
        linkTo(`/console/sign-in?${next}`, 'Sign in again'),
      );
      stop();
      return;
    }
    if (answer.status !== 200 && answer.status !== 304) {
      say(`This page could not be refreshed (${answer.status}). It tries again.`);
      return;
    }
    if (answer.status === 200) {
      const page = new DOMParser().parseFromString(text, 'text/html');
      const next = page.querySelector('main');
      const tag = page.querySelector('body > footer')?.dataset.etag;
      if (!next || !tag || isInUse() || !replace(next)) return;
      document.title = page.title;
      etag = tag;
    }
    setMadeAt(new Date());
    say();
  }

  function setMadeAt(at) {
    const time = footer.querySelector('time');
    if (!time) return;
    time.dateTime = at.toISOString();
    time.title = '';
    showTimes(footer);
  }

  /** Looks every second whether it is time; a page that is hidden waits until somebody looks. */
  function look() {
    if (document.hidden || isAsking || Date.now() - lastAt < EVERY_MS || isInUse()) return;
    isAsking = true;
    refresh()
      .catch(() =>
        say('The service cannot be reached now, so this page shows what it knew. It tries again.'),
      )
      .finally(() => {
        isAsking = false;
        lastAt = Date.now();
        if (!isInUse()) showTimes(document.body);
      });
  }

  showTimes(document.body);
  if (etag === undefined) return;
  const timer = setInterval(look, 1_000);
  function stop() {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', look);
  }
  document.addEventListener('visibilitychange', look);
})();
