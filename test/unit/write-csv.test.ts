import { columnsOf } from '../../src/http/csv/columns';
import { writeHeader, writeRows } from '../../src/http/csv/write-csv';

const COLUMNS = [['text'], ['inner', 'value']];

function row(text: unknown, value: unknown = null): string {
  return writeRows(COLUMNS, [{ text, inner: { value } }]);
}

test('a cell is quoted where it must be, and its quotation marks are doubled', () => {
  expect(row('plain', 'text')).toBe('plain,text\r\n');
  expect(row('a,b', 'c"d')).toBe('"a,b","c""d"\r\n');
  expect(row('one\ntwo', 'one\r\ntwo')).toBe('"one\ntwo","one\r\ntwo"\r\n');
  expect(row(' blanks ', 'ñ😀')).toBe(' blanks ,ñ😀\r\n');
});

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx'])('%j is no formula', (text) => {
  expect(row(text)).toBe(`'${text},\r\n`);
});

test('a formula that has to be quoted is quoted with its apostrophe', () => {
  expect(row('=A1,B1')).toBe(`"'=A1,B1",\r\n`);
  expect(row(-5, 'a=b')).toBe("'-5,a=b\r\n");
});

test('values are as in JSON: dates, numbers, lists; nothing for null and for what is not there', () => {
  expect(row(new Date(0), true)).toBe('1970-01-01T00:00:00.000Z,true\r\n');
  expect(row(1.5, ['a', 2])).toBe('1.5,"[""a"",2]"\r\n');
  expect(row(null, undefined)).toBe(',\r\n');
  expect(writeRows(COLUMNS, [{ text: 'x', inner: null }, {}])).toBe('x,\r\n,\r\n');
});

test('columns are the members of a schema, those of inner objects by dots', () => {
  const inner = { type: ['object', 'null'], properties: { a: { type: 'string' }, b: {} } };
  const entry = {
    type: 'object',
    properties: {
      id: { type: 'string' },
      inner,
      maybe: { anyOf: [inner, { type: 'null' }] },
      either: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
      list: { type: 'array', items: inner },
      waiting_for: { anyOf: [{ $ref: '#/components/schemas/Drift' }, { type: 'null' }] },
    },
  };
  expect(writeHeader(columnsOf(entry))).toBe(
    'id,inner.a,inner.b,maybe.a,maybe.b,either,list,waiting_for.state,waiting_for.checked_at,waiting_for.changes_count\r\n',
  );
});
