import type { FieldMenu } from './field-menu';
import type { Shop } from './shop';
import type { System } from './system';

interface FieldAnswer {
  readonly status: number;
  readonly uploadId: string;
  /** The `data` of the answer. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** Calls of the API about menus from the field, in one shop. */
export function fieldCallsOf(system: System, shop: Shop) {
  async function call(method: string, path: string, body?: object): Promise<FieldAnswer> {
    const response = await fetch(`${system.apiUrl()}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${system.token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const { data } = (await response.json()) as Pick<FieldAnswer, 'data'>;
    const uploadId = response.headers.get('x-upload-id') ?? '';
    return { status: response.status, uploadId, data: data ?? {} };
  }
  const { storeId: store_id } = shop;
  const integration_id = String(shop.integrationId);
  return {
    upload: ({ menu }: FieldMenu) =>
      call('POST', '/menus/upload', { store_id, integration_id, ...menu }),
    republish: (uploadId: string) => call('POST', `/menus/uploads/${uploadId}/republish`),
    shown: (uploadId: string) => call('GET', `/menus/uploads/${uploadId}/shown`),
    /** The losses of a preview, as `code external_id`. */
    async previewed({ menu }: FieldMenu): Promise<readonly string[]> {
      const body = { store_id, integration_ids: [integration_id], ...menu };
      const { data } = await call('POST', '/menus/preview', body);
      const [result] = data['results'] as readonly {
        readonly losses: readonly { readonly code: string; readonly external_id: string }[];
      }[];
      return (result?.losses ?? []).map(({ code, external_id: id }) => `${code} ${id}`);
    },
  };
}
