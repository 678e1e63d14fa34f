import { createRequire } from 'node:module';
import Ajv from 'ajv';
import type { Manifest } from './manifest';

interface Model {
  readonly prototype: { validate(this: object): void };
}

/** What an operator of Prometheus knows of a PodMonitor, as far as we use it: its own schema is in no package here. */
const POD_MONITOR = {
  type: 'object',
  required: ['apiVersion', 'kind', 'metadata', 'spec'],
  properties: {
    apiVersion: { const: 'monitoring.coreos.com/v1' },
    kind: { const: 'PodMonitor' },
    metadata: {
      type: 'object',
      required: ['name'],
      properties: {
        name: { type: 'string' },
        labels: { type: 'object', additionalProperties: { type: 'string' } },
      },
    },
    spec: {
      type: 'object',
      required: ['selector', 'podMetricsEndpoints'],
      properties: {
        selector: {
          type: 'object',
          properties: {
            matchLabels: { type: 'object', additionalProperties: { type: 'string' } },
            matchExpressions: {
              type: 'array',
              items: {
                type: 'object',
                required: ['key', 'operator'],
                properties: {
                  key: { type: 'string' },
                  operator: { enum: ['In', 'NotIn', 'Exists', 'DoesNotExist'] },
                  values: { type: 'array', items: { type: 'string' } },
                },
              },
            },
          },
        },
        podMetricsEndpoints: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              port: { type: 'string' },
              path: { type: 'string' },
              interval: { type: 'string', pattern: String.raw`^\d+(ms|s|m|h)$` },
            },
          },
        },
      },
    },
  },
};
const isPodMonitor = new Ajv({ strict: false }).compile(POD_MONITOR);

/** Throws what of the schema of its kind does not hold. Kubernetes' own are loaded by name, as each manifest says its own. */
export function validateManifest(manifest: object): void {
  const { apiVersion, kind } = manifest as Manifest;
  if (kind === 'PodMonitor') {
    if (!isPodMonitor(manifest)) throw new Error(JSON.stringify(isPodMonitor.errors));
    return;
  }
  const load = createRequire(__filename);
  const models = load(`kubernetes-models/${apiVersion}`) as Record<string, Model>;
  const Known = models[kind];
  if (!Known) throw new Error(`Kubernetes knows no ${apiVersion} ${kind}`);
  // Not by `new`, which copies the manifest and so reads every field.
  Known.prototype.validate.call(manifest);
}
