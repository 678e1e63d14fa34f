import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { SETTINGS } from '../../src/config';

interface Service {
  readonly command?: unknown;
  readonly entrypoint?: unknown;
  readonly healthcheck?: { readonly test: unknown };
  readonly environment?: Readonly<Record<string, unknown>>;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
}

const root = path.join(__dirname, '../..');
const { services } = parse(readFileSync(path.join(root, 'docker-compose.yml'), 'utf8'), {
  merge: true,
}) as { readonly services: Readonly<Record<string, Service>> };
const named = Object.entries(services);
const ours = named.filter(([, { command }]) => Array.isArray(command) && command[0] === 'node');

describe('docker-compose.yml', () => {
  // An unquoted `? 0: 1` once made a mapping of the health check, and Compose refused the whole file.
  test.each(named)('%s has only texts in its commands and its health check', (_name, service) => {
    for (const words of [service.command, service.entrypoint, service.healthcheck?.test]) {
      const others = [words ?? []].flat().filter((word) => typeof word !== 'string');
      expect(others).toEqual([]);
    }
  });

  test.each(named)('%s waits only for what exists and can be waited for', (_name, service) => {
    const waitsFor = Object.entries(service.depends_on ?? {});
    const impossible = waitsFor.filter(([other, { condition }]) => {
      const awaited = services[other];
      return !awaited || (condition === 'service_healthy' && !awaited.healthcheck);
    });
    expect(impossible).toEqual([]);
  });

  test.each(ours)('%s runs a program that the image has', (_name, { command }) => {
    const [, program] = command as string[];
    const source = String(program)
      .replace(/^dist\//, '')
      .replace(/\.js$/, '.ts');
    expect(existsSync(path.join(root, source))).toBe(true);
  });

  test.each(ours)('%s sets only settings that exist', (_name, { environment = {} }) => {
    expect(Object.keys(environment).filter((name) => !(name in SETTINGS))).toEqual([]);
  });

  test('checks four services of ours', () => {
    expect(ours.map(([name]) => name)).toEqual(['migrate', 'setup', 'api', 'worker']);
  });
});
