import { asciiLower } from './ascii-case';

/** A text as somebody may have meant it, and where each of its UTF-16 units stands in the text as it is. */
export interface View {
  readonly text: string;
  /** First unit of the original that `text[i]` was made of. */
  readonly starts: readonly number[];
  /** Behind the last one. */
  readonly ends: readonly number[];
}

/** What one piece of an encoding means; undefined: nothing, it stays as it is. */
type Decode = (piece: RegExpExecArray) => string | undefined;

const JS_ESCAPE =
  /\\(?:u([\dA-Fa-f]{4})|u\{([\dA-Fa-f]{1,6})\}|x([\dA-Fa-f]{2})|([0-3][0-7]{2})|([^\r\n]))/gu;
/** Those of one letter that do not mean the letter. */
const LETTERS: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};
/** Browsers read the oldest four names without a semicolon too. */
const HTML_REFERENCE =
  /&(?:#[Xx]([\dA-Fa-f]{1,6});?|#(\d{1,7});?|([A-Za-z]{2,10});|(amp|AMP|lt|LT|gt|GT|quot|QUOT))/gu;
/** Names that HTML has for ASCII characters: secrets of headers are ASCII. */
const NAMED: Readonly<Record<string, string>> = {
  Tab: '\t',
  NewLine: '\n',
  excl: '!',
  quot: '"',
  QUOT: '"',
  num: '#',
  dollar: '$',
  percnt: '%',
  amp: '&',
  AMP: '&',
  apos: "'",
  lpar: '(',
  rpar: ')',
  ast: '*',
  midast: '*',
  plus: '+',
  comma: ',',
  period: '.',
  sol: '/',
  colon: ':',
  semi: ';',
  lt: '<',
  LT: '<',
  equals: '=',
  gt: '>',
  GT: '>',
  quest: '?',
  commat: '@',
  lsqb: '[',
  lbrack: '[',
  bsol: '\\',
  rsqb: ']',
  rbrack: ']',
  Hat: '^',
  lowbar: '_',
  grave: '`',
  lcub: '{',
  lbrace: '{',
  verbar: '|',
  vert: '|',
  rcub: '}',
  rbrace: '}',
};
const PERCENT_BYTES = /(?:%[\dA-Fa-f]{2})+/gu;
const PLUS_OR_PERCENT_BYTES = /\+|(?:%[\dA-Fa-f]{2})+/gu;
const ASCII = /^[\0-\x7f]*$/u;
/** Where a line was wrapped: JSON and HTML writers indent what follows. */
const LINE_END = /[ \t]*\r?\n[ \t]*/gu;

/** As it is; then with JSON and JS escapes, HTML references, percent signs and form encoding decoded, each once. */
export function decodedViews(text: string): readonly View[] {
  const plain = asItIs(text);
  const views = [plain];
  if (text.includes('\\')) views.push(replaced(plain, JS_ESCAPE, jsCharacter));
  if (text.includes('&')) views.push(replaced(plain, HTML_REFERENCE, htmlCharacter));
  if (text.includes('%')) {
    views.push(replaced(plain, PERCENT_BYTES, percentText));
    if (text.includes('+')) views.push(replaced(plain, PLUS_OR_PERCENT_BYTES, percentText));
  } else if (text.includes('+')) views.push(replaced(plain, /\+/gu, () => ' '));
  return views;
}

/** The same without the ends of lines; the view itself if it has one line. */
export function joinedLines(view: View): View {
  return view.text.includes('\n') ? replaced(view, LINE_END, () => '') : view;
}

function asItIs(text: string): View {
  const starts = Array.from({ length: text.length }, (_, at) => at);
  return { text, starts, ends: starts.map((at) => at + 1) };
}

function replaced(view: View, pattern: RegExp, decode: Decode): View {
  const { starts, ends } = view;
  const made = { text: [] as string[], starts: [] as number[], ends: [] as number[] };
  const copy = (from: number, to: number) => {
    made.text.push(view.text.slice(from, to));
    for (let at = from; at < to; at++) {
      made.starts.push(starts[at] as number);
      made.ends.push(ends[at] as number);
    }
  };
  let copied = 0;
  for (const piece of view.text.matchAll(pattern)) {
    const decoded = decode(piece);
    if (decoded === undefined) continue;
    copy(copied, piece.index);
    copied = piece.index + piece[0].length;
    made.text.push(decoded);
    // %41%42 is one piece of two characters of three units each; a character of several bytes covers the whole piece.
    const width = piece[0].length / decoded.length;
    const isEven = ASCII.test(decoded);
    for (let at = 0; at < decoded.length; at++) {
      const first = isEven ? piece.index + at * width : piece.index;
      const last = (isEven ? first + width : copied) - 1;
      made.starts.push(starts[first] as number);
      made.ends.push(ends[last] as number);
    }
  }
  copy(copied, view.text.length);
  return { text: made.text.join(''), starts: made.starts, ends: made.ends };
}

function jsCharacter([, short, long, byte, octal, letter = '']: RegExpExecArray):
  | string
  | undefined {
  const hex = short ?? long ?? byte;
  if (hex !== undefined) return character(Number.parseInt(hex, 16));
  if (octal !== undefined) return character(Number.parseInt(octal, 8));
  return LETTERS[letter] ?? letter;
}

function htmlCharacter([, hex, decimal, closed, open]: RegExpExecArray): string | undefined {
  if (hex !== undefined) return character(Number.parseInt(hex, 16));
  if (decimal !== undefined) return character(Number(decimal));
  const name = closed ?? open ?? '';
  return NAMED[name] ?? NAMED[asciiLower(name)];
}

function character(codePoint: number): string | undefined {
  return codePoint <= 0x10ffff ? String.fromCodePoint(codePoint) : undefined;
}

function percentText([piece]: RegExpExecArray): string {
  return piece === '+' ? ' ' : Buffer.from(piece.replaceAll('%', ''), 'hex').toString('utf8');
}
