import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { type Manifest, titleOf } from './manifest';

type Fields = Readonly<Record<string, unknown>>;

interface Kustomization {
  readonly resources?: readonly string[];
  readonly patches?: readonly { readonly path: string }[];
  readonly images?: readonly {
    readonly name: string;
    readonly newName: string;
    readonly newTag: string;
  }[];
  readonly configMapGenerator?: readonly {
    readonly name: string;
    readonly files: readonly string[];
  }[];
  readonly generatorOptions?: {
    readonly disableNameSuffixHash: true;
    readonly labels: Readonly<Record<string, string>>;
  };
}

/** What this does; a field that is not here is refused, since kustomize would do something about it. */
const KNOWN = [
  'apiVersion',
  'kind',
  'resources',
  'patches',
  'images',
  'configMapGenerator',
  'generatorOptions',
];

/**
 * What `kubectl kustomize` makes of a folder, for the fields that our own files have, without kubectl. Throws where a
 * resource is there twice, and where a patch is of nothing or has a list, of which merging depends on the schema.
 */
export function buildKustomization(folder: string): readonly Manifest[] {
  const content = parse(readFileSync(join(folder, 'kustomization.yaml'), 'utf8')) as Kustomization;
  const unknown = Object.keys(content).filter((name) => !KNOWN.includes(name));
  if (unknown.length > 0) throw new Error(`${folder}: unknown ${unknown.join(', ')}`);
  const resources = [
    ...(content.resources ?? []).flatMap((path) => readResource(join(folder, path))),
    ...generatedMaps(folder, content),
  ];
  const titles = resources.map(titleOf);
  const twice = titles.filter((title, at) => titles.indexOf(title) !== at);
  if (twice.length > 0) throw new Error(`${folder}: ${twice.join(', ')} twice`);
  const patches = (content.patches ?? []).flatMap(({ path }) => readManifests(join(folder, path)));
  const patched = patches.reduce(applyPatch, resources);
  return patched.map((each) => withImages(each, content.images ?? []) as Manifest);
}

function readResource(path: string): readonly Manifest[] {
  return statSync(path).isDirectory() ? buildKustomization(path) : readManifests(path);
}

function readManifests(path: string): readonly Manifest[] {
  return parseAllDocuments(readFileSync(path, 'utf8')).map(
    (document) => document.toJS() as Manifest,
  );
}

function generatedMaps(folder: string, content: Kustomization): readonly Manifest[] {
  return (content.configMapGenerator ?? []).map(({ name, files }) => {
    if (!content.generatorOptions?.disableNameSuffixHash)
      throw new Error(`${name} would get a hash`);
    const data = files.map((file) => [file, readFileSync(join(folder, file), 'utf8')]);
    return {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, labels: content.generatorOptions.labels },
      data: Object.fromEntries(data),
    } as unknown as Manifest;
  });
}

function applyPatch(resources: readonly Manifest[], patch: Manifest): Manifest[] {
  if (!resources.some((each) => titleOf(each) === titleOf(patch))) {
    throw new Error(`${titleOf(patch)} is patched, and is not there`);
  }
  return resources.map((each) =>
    titleOf(each) === titleOf(patch) ? (merge(each, patch) as Manifest) : each,
  );
}

function merge(base: unknown, patch: unknown): unknown {
  if (Array.isArray(patch)) throw new Error('a list in a patch');
  if (!isFields(patch)) return patch;
  const fields = isFields(base) ? base : {};
  const merged = Object.entries(patch).map(([name, value]) => [name, merge(fields[name], value)]);
  return { ...fields, ...Object.fromEntries(merged) };
}

/** With the names and tags of `images` wherever a container has one of them. */
function withImages(value: unknown, images: NonNullable<Kustomization['images']>): unknown {
  if (Array.isArray(value)) return value.map((each) => withImages(each, images));
  if (!isFields(value)) return value;
  const entries = Object.entries(value).map(([name, each]) => {
    const found = images.find(
      (image) => name === 'image' && String(each).split(':')[0] === image.name,
    );
    return [name, found ? `${found.newName}:${found.newTag}` : withImages(each, images)];
  });
  return Object.fromEntries(entries);
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
