import type { Fault, FaultMode } from '../fault';

/** One menu that people at the app look at. */
export interface Approval {
  readonly storeId: string;
  readonly payload: Buffer;
  /** ms since epoch */
  readonly createdAt: number;
  status: 'PENDING' | 'APPROVED' | 'REJECTED';
  /** How its webhook goes wrong. */
  readonly webhookMode: FaultMode | undefined;
  /** Asked once already: the next step decides. */
  isSeen: boolean;
  end: 'APPROVED' | 'REJECTED' | 'never';
  /** Questions about it are answered without a body. */
  isBare: boolean;
}

export interface Approvals {
  /** Puts a menu in line; false while another one of the store waits, which makes the app ignore it. */
  submit(storeId: string, payload: Buffer, webhookMode: FaultMode | undefined): boolean;
  /** The store's last menu. */
  find(storeId: string): Approval | undefined;
  /** All menus of the store, newest first. */
  all(storeId: string): readonly Approval[];
  /** Whether the store's last menu waits for a decision that will come. */
  isUnderWay(storeId: string): boolean;
  /**
   * Whether the next step of the store's last menu meets one of the faults of approvals. Its end is decided once, when
   * it is seen: a fault that comes later is for the next menu.
   */
  meets(storeId: string, fault: Fault): boolean;
  /** Advances by one step: first it is seen, then it is decided. A decision stays. */
  step(storeId: string, fault?: Fault): void;
}

/** The menus of each store, and the app's decision about its last one; `onEnd` is called once for each decision. */
export function createApprovals(
  clock: () => number,
  onEnd: (approval: Approval) => void,
): Approvals {
  const last = new Map<string, Approval>();
  const ofStore = new Map<string, Approval[]>();
  return {
    submit(storeId, payload, webhookMode) {
      if (last.get(storeId)?.status === 'PENDING') return false;
      const made: Approval = {
        storeId,
        payload,
        createdAt: clock(),
        status: 'PENDING',
        webhookMode,
        isSeen: false,
        end: 'APPROVED',
        isBare: false,
      };
      last.set(storeId, made);
      ofStore.set(storeId, [made, ...(ofStore.get(storeId) ?? [])]);
      return true;
    },
    find: (storeId) => last.get(storeId),
    all: (storeId) => ofStore.get(storeId) ?? [],
    isUnderWay(storeId) {
      const approval = last.get(storeId);
      return approval?.status === 'PENDING' && approval.end !== 'never';
    },
    meets(storeId, { kind, mode }) {
      const approval = last.get(storeId);
      if (kind !== 'approval' || approval?.status !== 'PENDING') return false;
      return mode === 'slow' || !approval.isSeen;
    },
    step(storeId, fault) {
      const approval = last.get(storeId);
      if (approval?.status !== 'PENDING') return;
      if (fault?.mode === 'never') approval.end = 'never';
      if (fault?.mode === 'rejected') approval.end = 'REJECTED';
      if (fault?.mode === 'bare') approval.isBare = true;
      if (fault?.mode === 'slow') return;
      if (!approval.isSeen) approval.isSeen = true;
      else if (approval.end !== 'never') {
        approval.status = approval.end;
        onEnd(approval);
      }
    },
  };
}
