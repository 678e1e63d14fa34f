import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { ConfigError, loadConfig } from '../../src/platform/config/config';
import { parseSize } from '../../src/platform/config/sizes';
import { size } from '../../src/platform/config/setting-formats';

const REQUIRED = {
  DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
  ENCRYPTION_KEY: randomBytes(32).toString('base64'),
};

/** The problems that are listed for these settings, one a line. */
function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    loadConfig({ ...REQUIRED, ...env });
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.message.split('\n  ').slice(1);
  }
}

// The least and the most that is allowed, and their neighbours.
const TIMES = [
  { name: 'DELIVERY_APP_TIMEOUT', least: '100ms', most: '45s', below: '99ms', above: '45001ms' },
  { name: 'UPLOAD_WAIT', least: '0s', most: '5m', below: null, above: '300001ms' },
  { name: 'ACK_WAIT', least: '0s', most: '1m', below: null, above: '60001ms' },
  { name: 'WEBHOOK_TIMEOUT', least: '100ms', most: '60s', below: '99ms', above: '60001ms' },
  {
    name: 'WEBHOOK_RETRY_SCHEDULE',
    least: '1s,10ms',
    most: '1s,7d',
    below: '1s,9ms',
    above: '1s,169h,1s',
  },
] as const;

test.each(TIMES)('$name takes $least and $most, and nothing outside', ({ name, ...bounds }) => {
  for (const inside of [bounds.least, bounds.most]) {
    expect({ inside, problems: problemsOf({ [name]: inside }) }).toEqual({ inside, problems: [] });
  }
  for (const outside of [bounds.below, bounds.above]) {
    if (outside === null) continue;
    expect(problemsOf({ [name]: outside })).toEqual([
      expect.stringMatching(new RegExp(`^${name} must be (durations )?from \\w+ to \\w+$`)),
    ]);
  }
});

test.each(['Infinity', '1e9', '1e9s', '-1s', '10', '10 s', '10S', '1.5s', '1w', 'NaN', '∞'])(
  'every time setting refuses %j, and all of them are listed at once',
  (wrong) => {
    const problems = problemsOf(Object.fromEntries(TIMES.map(({ name }) => [name, wrong])));
    expect(problems.map((each) => each.split(' ')[0])).toEqual(TIMES.map(({ name }) => name));
  },
);

const originOf = (PUBLIC_URL: string) => loadConfig({ ...REQUIRED, PUBLIC_URL }).PUBLIC_URL;

test('an origin has its scheme, its host and perhaps its port, and nothing else', () => {
  expect(originOf('http://127.0.0.1:80')).toBe('http://127.0.0.1');
  expect(originOf('HTTPS://Pos.Example.com:443/')).toBe('https://pos.example.com');
  expect(originOf('https://pos.example.com:8443')).toBe('https://pos.example.com:8443');
  for (const wrong of [
    'pos.example.com',
    'http:pos.example.com',
    'ftp://pos.example.com',
    'https://pos.example.com/console',
    'https://pos.example.com?',
    'https://pos.example.com#',
    'https://user@pos.example.com',
  ]) {
    expect([wrong, problemsOf({ PUBLIC_URL: wrong })]).toEqual([
      wrong,
      ['PUBLIC_URL must be an origin, such as https://pos.example.com'],
    ]);
  }
});

const delays = (count: number) => Array.from({ length: count }, () => '1s').join(',');

test('a retry schedule has at most 50 delays', () => {
  expect(problemsOf({ WEBHOOK_RETRY_SCHEDULE: delays(50) })).toEqual([]);
  expect(problemsOf({ WEBHOOK_RETRY_SCHEDULE: delays(51) })).toEqual([
    'WEBHOOK_RETRY_SCHEDULE must be at most 50 durations',
  ]);
});

test.each([
  ['0B', 0],
  ['512B', 512],
  ['64KB', 65_536],
  ['256MB', 268_435_456],
  ['1GB', 1_073_741_824],
])('%s is a size, in units of 1,024', (text, bytes) => {
  expect(parseSize(text)).toBe(bytes);
});

test.each(['', '1', '1kb', '1K', '1KiB', '1 MB', '1.5GB', '-1B', '1e3B', 'Infinity', '1234567B'])(
  '%j is not a size, and the error says what is expected',
  (text) => {
    expect(() => parseSize(text)).toThrow('such as 512B, 64KB, 256MB or 1GB');
  },
);

test('a size setting accepts its minimum and maximum, and nothing outside', () => {
  const format = size('1MB', '1GB');
  expect([format.parse('1MB'), format.parse('1024MB')]).toEqual([1_048_576, 1_073_741_824]);
  for (const outside of ['1023KB', '1025MB']) {
    expect(() => format.parse(outside)).toThrow('must be from 1MB to 1GB');
  }
});

test.each(['api', 'worker'])(
  'the %s does not start with wrong settings: it lists all of them, repeats no value, and ends with status 1',
  (program) => {
    const { status, stderr } = spawnSync(
      process.execPath,
      ['--import', 'tsx', join(__dirname, '../../src/bin', `${program}.ts`)],
      {
        encoding: 'utf8',
        env: {
          ...process.env,
          ...REQUIRED,
          ENCRYPTION_KEY: 'a-key-of-the-wrong-length',
          DELIVERY_APP_TIMEOUT: 'Infinity',
          UPLOAD_WAIT: '1h',
          RETENTION_DAYS: '0',
        },
      },
    );
    expect(status).toBe(1);
    expect(stderr.trim().split('\n  ').slice(1)).toEqual([
      'ENCRYPTION_KEY must be base64 of exactly 32 bytes',
      expect.stringContaining('DELIVERY_APP_TIMEOUT must be a duration'),
      'UPLOAD_WAIT must be from 0s to 5m',
      'RETENTION_DAYS must be a whole number from 1 to 3650',
    ]);
  },
);

test.each([
  [
    { TEMPORAL_TLS_CA: '/nowhere/ca.pem' },
    ['TEMPORAL_TLS_CA must be the path of a file that can be read'],
  ],
  [{ TEMPORAL_TLS_CERT: __filename }, ['TEMPORAL_TLS_CERT needs its key, TEMPORAL_TLS_KEY']],
  [{ TEMPORAL_TLS_KEY: __filename }, ['TEMPORAL_TLS_KEY needs its certificate, TEMPORAL_TLS_CERT']],
  [
    { TEMPORAL_TLS_CERT: '/nowhere/cert.pem', TEMPORAL_TLS_KEY: __dirname },
    [
      'TEMPORAL_TLS_CERT must be the path of a file that can be read',
      'TEMPORAL_TLS_KEY must be the path of a file that can be read',
    ],
  ],
  [{ TEMPORAL_TLS_CERT: __filename, TEMPORAL_TLS_KEY: __filename }, []],
])('Temporal over TLS with %j', (env, problems) => {
  expect(problemsOf({ TEMPORAL_TLS: 'true', ...env })).toEqual(problems);
});

test.each(['TEMPORAL_TLS_CA', 'TEMPORAL_API_KEY'])(
  '%s without TLS is refused, because its value would be sent unencrypted',
  (name) => {
    expect(problemsOf({ [name]: __filename })).toEqual([`${name} needs TEMPORAL_TLS=true`]);
  },
);
