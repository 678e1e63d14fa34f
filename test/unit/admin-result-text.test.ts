import { resultText } from '../../src/admin/result-text';

test('a list is a table with a head, as wide as its widest cells', () => {
  const list = [
    { id: '1', name: 'Till', since: null },
    { id: '20', name: 'Back office', since: new Date('2026-11-22T10:00:00Z') },
  ];
  expect(resultText(list)).toBe(
    [
      'id  name         since',
      '1   Till         -',
      '20  Back office  2026-11-22T10:00:00.000Z',
      '',
    ].join('\n'),
  );
});

test('one thing is a line for each field', () => {
  expect(resultText({ user_id: 'usr_1', permissions: ['a', 'b'], active: true, none: [] })).toBe(
    'user_id      usr_1\npermissions  a, b\nactive       true\nnone         -\n',
  );
});

test('an empty list says so', () => {
  expect(resultText([])).toBe('None.\n');
});

test('control characters in a name do not reach the terminal', () => {
  const text = resultText({ name: 'a\u001B[2Jb\nc\u202Ed' });
  expect(text).toBe('name  a\\u{1b}[2Jb\\u{a}c\\u{202e}d\n');
});
