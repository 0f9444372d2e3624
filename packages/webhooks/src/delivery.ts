import type { AddedEvent, KnownEvent, UnknownEvent } from './events.ts';

/** What the signature vouches for, beside the bytes of the body. */
export interface VerifiedSignature {
  /** `webhook-id`: the same in every attempt of a delivery, hence the key to deduplicate by. */
  id: string;
  /** `webhook-timestamp`: when the attempt was signed, in seconds since the epoch. */
  timestamp: number;
  /** When it was verified, in milliseconds since the epoch. */
  receivedAt: number;
  /** Position of the secret that verified it in `secrets`: above 0, the sender still uses an older one. */
  secretIndex: number;
}

/** What all deliveries have. */
export interface DeliveryBase extends VerifiedSignature {
  /** The body as text, as it was signed. */
  body: string;
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

/** A verified delivery. `known` says whether its event is one of the catalog. */
export type Delivery = KnownDelivery | UnknownDelivery;
