import type { AppSimulatorFactory, SimulatedAppOptions } from '../../dev/sandbox/app-simulator';
import type { Sandbox } from '../../dev/sandbox/sandbox';
import type {
  AppCredential,
  DeliveryAppClient,
  TokenUse,
} from '../../src/delivery-apps/app-client';
import type { ShippedAppName } from '../../src/delivery-apps/types';
import type { ShownShop } from '../support/shop';

export interface JudgedApp {
  readonly name: ShippedAppName;
  readonly menus: 1 | 2;
  readonly simulate: (options: SimulatedAppOptions) => AppSimulatorFactory;
  /** Whether the app is told when an item comes back. */
  readonly endsSuspensions?: boolean;
  /** Whether the last special day cannot be taken away. */
  readonly keepsLastSpecialDay?: boolean;
  /** Further fields of the store's credential. */
  readonly credentialOf?: (appStoreId: string) => AppCredential['store'];
}

export const CLIENT = { clientId: 'client', clientSecret: 'secret' };

/** The store in which one adapter is judged. */
export interface JudgedShop {
  readonly app: JudgedApp;
  readonly client: DeliveryAppClient;
  readonly appStoreId: string;
  readonly sandbox: Sandbox;
  /** Those that `tokenOf` has fetched, by their use. */
  readonly tokens: Map<TokenUse | undefined, string>;
}

export function credentialOf({ app, appStoreId }: JudgedShop): AppCredential {
  return { ...CLIENT, store: app.credentialOf?.(appStoreId) ?? {} };
}

/** One token for all calls of a use, as an app counts those that it gives; empty if there is none. */
export async function tokenOf(shop: JudgedShop, use?: TokenUse): Promise<string> {
  const { client, tokens } = shop;
  const known = tokens.get(use);
  if (known !== undefined) return known;
  const result = await client.fetchToken({ ...credentialOf(shop), ...(use && { use }) });
  const token = result.kind === 'token' ? result.token : '';
  tokens.set(use, token);
  return token;
}

/** What the simulator shows of the shop. */
export async function shopPage({ app, appStoreId, sandbox }: JudgedShop) {
  const url = `${sandbox.url}/${app.name}/_sandbox/stores/${appStoreId}`;
  return (await (await fetch(url)).json()) as ShownShop & { readonly payload: unknown };
}

/** An outcome in words. */
export function told(outcome: { readonly kind: string }): string {
  const { kind, ...rest } = outcome;
  const words = Object.values(rest).map((value) =>
    typeof value === 'string' ? value : JSON.stringify(value),
  );
  return [kind, ...words].join(' ');
}
