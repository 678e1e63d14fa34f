/** An object of Kubernetes, of any kind: its schema says which fields it has. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly labels: Readonly<Record<string, string>>;
  };
  // oxlint-disable-next-line typescript/no-explicit-any -- of any kind; the schema says which fields it has
  readonly spec: any;
  readonly data?: Readonly<Record<string, string>>;
}

export const titleOf = ({ kind, metadata }: Manifest): string => `${kind} ${metadata.name}`;

/** The template of the pods that it makes; undefined where it makes none. */
export function podsOf(manifest: Manifest): Manifest['spec'] {
  return ['Deployment', 'Job', 'StatefulSet'].includes(manifest.kind)
    ? manifest.spec.template
    : undefined;
}

/** Its containers, those that prepare a pod included. */
export function containersOf(manifest: Manifest): Manifest['spec'][] {
  const { initContainers = [], containers } = podsOf(manifest).spec;
  return [...initContainers, ...containers];
}
