import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { composeVariables } from '../../bench/rig/compose-file';
import { ENV_EXAMPLE, envExample } from '../../dev/docs/write-env-example';
import { loadConfig } from '../../src/platform/config/config';
import { SETTINGS } from '../../src/platform/config/settings';

const text = readFileSync(ENV_EXAMPLE, 'utf8');
const REQUIRED = {
  DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
  ENCRYPTION_KEY: randomBytes(32).toString('base64'),
};

test('.env.example lists the settings as the code has them (update it with npx tsx dev/docs/write-env-example.ts)', () => {
  expect(text).toBe(envExample());
});

test('filled in, and with every default uncommented, it is the configuration of an empty environment', () => {
  const uncommented = parseEnv(text.replace(/^#(?=[A-Z])/gm, ''));
  expect(Object.keys(SETTINGS).filter((name) => !(name in uncommented))).toEqual([]);
  expect(loadConfig({ ...uncommented, ...REQUIRED })).toEqual(loadConfig(REQUIRED));
});

test('it has everything that docker-compose.yml takes', () => {
  const known = new Set(Object.keys(parseEnv(text.replace(/^#(?=[A-Z])/gm, ''))));
  expect(composeVariables().filter((name) => !known.has(name))).toEqual([]);
});
