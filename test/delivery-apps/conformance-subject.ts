import type { AppSimulatorFactory, SimulatedAppOptions } from '../../dev/sandbox/app-simulator';
import type { PushOutcome } from '../../src/delivery-apps/app-client';
import type { DeliveryApp, StoreFacts, TransformInput } from '../../src/delivery-apps/types';
import type { MenuDocument } from '../../src/menus/menu';

/** What the suite must know about an app; everything else must hold for all of them. */
export interface ConformanceSubject {
  readonly app: DeliveryApp;
  readonly simulate: (options: SimulatedAppOptions) => AppSimulatorFactory;
  readonly store: StoreFacts;
  /** Fields of the store's own credential, if the app wants any. */
  readonly storeCredential?: Readonly<Record<string, string>>;
  /** The app has no token call: the client's secret is a key that goes along with each call. */
  readonly keyIsToken?: true;
  /** The sandbox's rules as a pure function: its objections to a payload; empty = accepted. */
  readonly violations: (payload: unknown) => readonly string[];
  /** A store id that the app does not know, where asking for it is the push's affair and not the token's. */
  readonly unknownStore?: string;
  /** The outcome of an unreadable success: whether the app's status is enough. */
  readonly unreadableSuccess: Extract<PushOutcome['kind'], 'live' | 'accepted' | 'unknown'>;
  /** Settings of the app's transform other than the usual ones. */
  readonly settings?: Partial<Omit<TransformInput, 'menu' | 'store'>>;
  /** Removes from a random menu what the app never has, such as ids that it cannot take. */
  readonly tame?: (menu: MenuDocument) => MenuDocument;
}
