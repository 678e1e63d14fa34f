import { DEFAULT_IMAGE_RULES, IMAGE_RULES } from '../../src/delivery-apps/app-a/image-rules';
import { IMAGE_SENTENCES } from '../../src/delivery-apps/losses';

describe('the image rules of App A', () => {
  it('match the rules in our messages', () => {
    const { formats, maxBytes, maxSide, minSide } = DEFAULT_IMAGE_RULES;
    const names = formats.map((format) => format.toUpperCase());
    expect(IMAGE_SENTENCES.wrong_format).toBe(
      `must be a ${names.join(', ').replace(/, (\w+)$/, ' or $1')}`,
    );
    expect(IMAGE_SENTENCES.too_large).toBe(`must be under ${maxBytes / 1024 ** 2} MB`);
    expect(IMAGE_SENTENCES.wrong_size).toContain(`between ${minSide} and ${maxSide} pixels`);
  });

  it('have the version under which they are stored', () => {
    for (const [version, rules] of Object.entries(IMAGE_RULES)) {
      expect(String(rules.version)).toBe(version);
    }
  });
});
