import type { AddedEvent, KnownEvent, UnknownEvent } from './events.ts';
import type { HeaderValues } from './headers.ts';

/** The details of a valid signature. */
export interface VerifiedSignature {
  /** `webhook-id`. Every attempt of a delivery has the same id, so use it to detect duplicates. */
  id: string;
  /** `webhook-timestamp`: the time when the service signed the attempt, in seconds since the epoch. */
  timestamp: number;
  /** The time when the receiver verified the message, in milliseconds since the epoch. */
  receivedAt: number;
  /**
   * The position in `secrets` of the secret that matched. If the position is above 0, the sender still uses an older
   * secret.
   */
  secretIndex: number;
}

/** The fields of every delivery. */
export interface DeliveryBase extends VerifiedSignature {
  /** The signed body as a string. */
  body: string;
  /**
   * All headers of the request, keyed by name in lower case: `delivery.headers['traceparent']`. The signature covers
   * only the headers `webhook-id` and `webhook-timestamp`, so a proxy may have added or changed other headers.
   */
  headers: HeaderValues;
}

/** A verified delivery of an event in the catalog. */
export interface KnownDelivery<E extends KnownEvent = KnownEvent> extends DeliveryBase {
  known: true;
  event: E;
}

/** A verified delivery of an event that is not in the event catalog of this package version. */
export interface UnknownDelivery<E extends AddedEvent | UnknownEvent = AddedEvent | UnknownEvent> extends DeliveryBase {
  known: false;
  event: E;
}

/** A verified delivery. `known` is true if the event of the delivery is in the catalog. */
export type Delivery = KnownDelivery | UnknownDelivery;
