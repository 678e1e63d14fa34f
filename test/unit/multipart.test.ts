import fc from 'fast-check';
import { AppError } from '../../src/platform/errors';
import { withMembers } from '../../src/console/preview-routes';
import { boundaryOf, type MultipartForm, readMultipart } from '../../src/http/body/multipart';

/** A form as a browser sends it. */
async function sent(form: FormData): Promise<{ bytes: Buffer; boundary: string }> {
  const response = new Response(form);
  const boundary = boundaryOf(response.headers.get('content-type') ?? '');
  if (boundary === undefined) throw new Error('no boundary');
  return { bytes: Buffer.from(await response.arrayBuffer()), boundary };
}

async function read(form: FormData): Promise<MultipartForm> {
  const { bytes, boundary } = await sent(form);
  return readMultipart(bytes, boundary);
}

describe('a form with files', () => {
  test('has its texts, fields of one name in their order, and files to the byte', async () => {
    const form = new FormData();
    const content = Buffer.from([0, 13, 10, 45, 45, 13, 10, 13, 10, 255]);
    form.set('text', 'año\r\n--x');
    form.append('chosen', '1');
    form.append('chosen', '2');
    form.set('empty', '');
    form.set('file', new Blob([content]), 'a; name="text".json');
    const found = await read(form);
    expect(found.get('text')).toBe('año\r\n--x');
    expect(found.getAll('chosen')).toEqual(['1', '2']);
    expect([found.get('empty'), found.get('missing'), found.bytes('missing')]).toEqual([
      '',
      null,
      null,
    ]);
    expect(found.getAll('missing')).toEqual([]);
    expect(found.bytes('file')).toEqual(content);
  });

  test('is read as it was written, whatever is in it', async () => {
    const field = fc.tuple(fc.string({ unit: 'grapheme-ascii' }), fc.string({ unit: 'grapheme' }));
    const property = fc.asyncProperty(
      fc.array(field, { minLength: 1, maxLength: 8 }),
      async (all) => {
        const form = new FormData();
        all.forEach(([, value], index) => form.append(`f${index % 3}`, value));
        const found = await read(form);
        for (const name of ['f0', 'f1', 'f2']) {
          // Browsers write each end of a line as two characters.
          const values = all
            .filter((_, index) => `f${index % 3}` === name)
            .map(([, value]) => value.replaceAll(/\r\n|\r|\n/g, '\r\n'));
          expect(found.getAll(name)).toEqual(values);
        }
      },
    );
    await fc.assert(property, { numRuns: 100 });
  });

  const part = '\r\nContent-Disposition: form-data; name="a"\r\n\r\n1';
  test.each([
    ['nothing', ''],
    ['a beginning without its boundary', `x\r\n--b${part}\r\n--b--`],
    ['no end', `--b${part}`],
    ['an end that is cut', `--b${part}\r\n--b-`],
    ['a part without a name', '--b\r\nContent-Disposition: form-data\r\n\r\n1\r\n--b--'],
    ['a part without a head', '--b\r\n1\r\n--b--'],
    [
      'a head without end',
      `--b\r\nContent-Disposition: form-data; name="a"; x="${'x'.repeat(3_000)}"\r\n\r\n1\r\n--b--`,
    ],
    ['more parts than a form has', `--b${`${part}\r\n--b`.repeat(65)}--`],
  ])('is refused with %s', (_name, text) => {
    expect(() => readMultipart(Buffer.from(text), 'b')).toThrow(AppError);
  });

  test('may have 64 parts', () => {
    const form = readMultipart(Buffer.from(`--b${`${part}\r\n--b`.repeat(64)}--`), 'b');
    expect(form.getAll('a')).toHaveLength(64);
  });

  test('that is cut anywhere is refused, and never read as another', async () => {
    const form = new FormData();
    form.set('a', 'one');
    form.set('b', 'two');
    const { bytes, boundary } = await sent(form);
    const end = bytes.lastIndexOf('--') + 2;
    for (let length = 0; length < end; length += 1) {
      expect(() => readMultipart(bytes.subarray(0, length), boundary)).toThrow(AppError);
    }
  });

  test.each([
    ['multipart/form-data; boundary=abc', 'abc'],
    ['Multipart/Form-Data;boundary="a b"', undefined],
    ['multipart/form-data; boundary="a+b"', 'a+b'],
    ['multipart/form-data', undefined],
    [`multipart/form-data; boundary=${'x'.repeat(71)}`, undefined],
    ['multipart/mixed; boundary=abc', undefined],
    ['application/json', undefined],
  ])('has a type like %s', (type, boundary) => {
    expect(boundaryOf(type)).toBe(boundary);
  });
});

describe('members behind those of a JSON object', () => {
  const members = { store_id: '7', ids: ['1'] };
  const withThem = (text: string) => withMembers(Buffer.from(text), members).toString('utf8');

  test('count instead of those of the same name, whatever else is in it', () => {
    const object = fc.dictionary(fc.constantFrom('store_id', 'a', '}'), fc.jsonValue());
    fc.assert(
      fc.property(object, fc.constantFrom('', ' ', '\r\n\t'), (given, space) => {
        const text = `${space}${JSON.stringify(given, null, space)}${space}`;
        expect(JSON.parse(withThem(text))).toEqual({
          ...(JSON.parse(text) as object),
          ...members,
        });
      }),
    );
  });

  test.each([
    '',
    ' ',
    '[{}]',
    '1',
    '{"a":1',
    '}',
    '{"a":1,}',
    '{"a":{}',
    '{,}',
    '{"a":1}}',
    '"}"',
    '"{}',
  ])('make no JSON object of %p, which is none', (text) => {
    const made = withThem(text);
    const parsed = () => {
      const value: unknown = JSON.parse(made);
      if (typeof value !== 'object' || Array.isArray(value)) throw new SyntaxError('no object');
    };
    expect(parsed).toThrow(SyntaxError);
  });
});
