import { readAnswerText } from '../platform/outbound/answer-text';
import { cleanText } from '../platform/text/clean-text';
import { type PosRow, posSecretContext } from './sql/pos-systems';
import { wholeSecond } from '../platform/whole-second';
import type { MessageId } from '../platform/ids';
import type { OutboundClient, OutboundErrorCode, OutboundResult } from '../platform/outbound/types';
import type { SecretBox } from '../platform/crypto/secrets';
import { signWebhook } from '../platform/crypto/signing';

/** A stock movement in an inventory system, to be sent to the POS. Quantities are decimal strings, unchanged. */
export interface PosStockMovement {
  readonly inventorySystemId: string;
  readonly storeId: number;
  readonly posId: number;
  readonly externalId: string;
  readonly currentStock: string;
  readonly quantity: string;
  readonly date: string;
  readonly movementType: 1 | 2;
}

/**
 * The body of the request, JSON text. Unlike a webhook's it has no `now`; only its headers are dated. A repeat under
 * the same idempotency key must have the same bytes, or a POS that compares them would refuse it.
 */
export function posStockBody(movement: PosStockMovement): string {
  return JSON.stringify({
    inventory_system_id: movement.inventorySystemId,
    // The platform's ids, as text like every id in this body.
    store_id: String(movement.storeId),
    pos_id: String(movement.posId),
    current_stock: movement.currentStock,
    quantity: movement.quantity,
    date: movement.date,
    movement_type: movement.movementType,
    external_id: movement.externalId,
  });
}

export interface PosStockRequest {
  /** From `posStockBody`. */
  readonly body: string;
  /** The same for a repeat, so that the POS can distinguish it from another movement. */
  readonly messageId: MessageId;
  readonly idempotencyKey: string | null;
}

export type PosAnswer =
  | { readonly kind: 'updated' }
  /** `body` is JSON text: the POS's own, or its text in our format. */
  | { readonly kind: 'refused'; readonly status: number; readonly body: string }
  /** A redirect: neither done nor refused, and never followed. */
  | { readonly kind: 'unexpected' }
  /** `not_reached`: it cannot have acted. `unknown`: it may have. */
  | {
      readonly kind: 'unanswered';
      readonly outcome: 'not_reached' | 'unknown';
      readonly error: OutboundErrorCode;
    };

export interface PosClient {
  /** `POST {base_url}/stock`, signed like a webhook. Never throws for anything that the POS does. */
  updateStock(pos: PosRow, request: PosStockRequest): Promise<{ answer: PosAnswer; ms: number }>;
}

export interface PosClientDeps {
  readonly http: OutboundClient;
  readonly secrets: SecretBox;
  readonly timeoutMs: number;
  /** The database's clock, Unix time in ms. */
  readonly now: () => number;
}

const LONGEST_TEXT = 500;

export function createPosClient({ http, secrets, timeoutMs, ...clock }: PosClientDeps): PosClient {
  return {
    async updateStock(pos, { body, messageId, idempotencyKey }) {
      const now = wholeSecond(clock.now());
      const secret = secrets.decrypt(pos.secretEncrypted, posSecretContext(pos.posId));
      const url = `${pos.baseUrl.replace(/\/+$/, '')}/stock`;
      const result = await http.request({
        method: 'POST',
        url,
        body,
        headers: {
          'content-type': 'application/json',
          ...(idempotencyKey === null ? {} : { 'idempotency-key': idempotencyKey }),
          ...signWebhook({ secrets: [secret], messageId, body, now }),
        },
        timeoutMs,
        statusDecides: (status) => status < 400,
        // The operator configures where a store's POS is, often in the operator's own network.
        trustedHost: new URL(url).hostname,
      });
      return { answer: toPosAnswer(result), ms: result.durationMs };
    },
  };
}

/** A status line counts as an answer, whatever happened to the body. */
function toPosAnswer(result: OutboundResult): PosAnswer {
  if (result.kind === 'response') return judgeStatus(result.status, refusalBody(result));
  const outcome = result.sent === 'none' ? 'not_reached' : 'unknown';
  return { kind: 'unanswered', outcome, error: result.code };
}

function judgeStatus(status: number, body: string): PosAnswer {
  if (status < 300) return { kind: 'updated' };
  if (status < 400) return { kind: 'unexpected' };
  return { kind: 'refused', status, body };
}

/** The POS's JSON unchanged; half a document counts as text. */
function refusalBody(answer: Extract<OutboundResult, { kind: 'response' }>): string {
  const { text } = readAnswerText(answer);
  // What ends with its bracket is whole, whatever came behind it. A number that was cut would be another one.
  const isWhole = !answer.truncated || /^\s*[[{]/.test(text);
  return isWhole && isJson(text) ? text : inOurShape(text);
}

/** The POS's text if it is not JSON. */
function inOurShape(text: string): string {
  const words = cleanText(text, LONGEST_TEXT) || 'The POS system gave no reason.';
  return JSON.stringify({ message: [words], data: null });
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
