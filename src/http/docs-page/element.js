/**
 * Makes an element. Attributes that are false or undefined are left out, those with `on…` are listeners; children are
 * elements or text. Never markup: what an answer contains must not become part of the page.
 */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === false || value === undefined) continue;
    if (key.startsWith('on')) made.addEventListener(key.slice(2), value);
    else made.setAttribute(key, value === true ? '' : String(value));
  }
  made.append(...children.flat().filter((child) => child !== undefined && child !== null));
  return made;
}

/** Text with `code` in backticks, as descriptions have it. */
export function prose(text) {
  return text.split('`').map((part, index) => (index % 2 === 1 ? element('code', {}, part) : part));
}

/** Paragraphs, which an empty line separates. */
export function paragraphs(text) {
  return text.split('\n\n').map((each) => element('p', {}, prose(each)));
}
