import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { document } from '../support/openapi-reader';

const VALIDATOR = join(__dirname, '../../dev/checks/validate-openapi.mjs');

/** The findings of an independent validator. */
function validate(described: object): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [VALIDATOR], {
    input: JSON.stringify(described),
    encoding: 'utf8',
  });
  return { status, output: stdout + stderr };
}

test('an independent validator finds no errors in the description', () => {
  expect(validate(document)).toEqual({ status: 0, output: '' });
});

test('it finds errors: two operations with one name, a dangling reference', () => {
  const { paths, openapi, info, servers, components } = document;
  const me = paths['/api/v1/me'];
  const { status, output } = validate({
    openapi,
    info,
    servers,
    components,
    paths: { '/me': me, '/again': me, '/lost': { $ref: '#/components/pathItems/Lost' } },
  });
  expect(status).toBe(1);
  expect(output).toContain('operation-operationId-unique');
  expect(output).toContain('no-unresolved-refs');
});
