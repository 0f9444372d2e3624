import type { AddedEvent, KnownEvent, UnknownEvent } from './events.ts';
import type { HeaderValues } from './headers.ts';

/** The facts about a valid signature. */
export interface VerifiedSignature {
  /** `webhook-id`. Every attempt of a delivery has the same id, so use it to detect duplicates. */
  id: string;
  /** `webhook-timestamp`: when the service signed the attempt, in seconds since the epoch. */
  timestamp: number;
  /** When the receiver verified it, in milliseconds since the epoch. */
  receivedAt: number;
  /** The position in `secrets` of the secret that matched. If it is above 0, the sender still uses an older secret. */
  secretIndex: number;
}

/** The fields of every delivery. */
export interface DeliveryBase extends VerifiedSignature {
  /** The signed body as a string. */
  body: string;
  /**
   * All headers of the request, by name in lower case: `delivery.headers['traceparent']`. The signature covers only
   * `webhook-id` and `webhook-timestamp`, so a proxy may have added or changed the others.
   */
  headers: HeaderValues;
}

/** A verified delivery of an event of the catalog. */
export interface KnownDelivery<E extends KnownEvent = KnownEvent> extends DeliveryBase {
  known: true;
  event: E;
}

/** A verified delivery of an event that is not in the catalog of this version. */
export interface UnknownDelivery<E extends AddedEvent | UnknownEvent = AddedEvent | UnknownEvent> extends DeliveryBase {
  known: false;
  event: E;
}

/** A verified delivery. `known` says whether its event is in the catalog. */
export type Delivery = KnownDelivery | UnknownDelivery;
