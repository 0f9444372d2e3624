import type {
  AddedEvent,
  ApiKeyClient,
  Event,
  EventEnvelope,
  EventSubject,
  KnownEvent,
  OtherSubject,
  UnknownEvent,
} from '@svc/client';

// #region narrow
/** Checking `event.type` narrows the type of `event.subject`. */
export async function describe(svc: ApiKeyClient, event: Event): Promise<string> {
  switch (event.type) {
    case 'lifecycle.evaluated':
      return `evaluated ${(await svc.follow(event.subject)).name}`;
    case 'webhook.endpoint.auto_disabled':
      return `disabled ${event.subject?.id ?? 'an endpoint'}`;
    case 'webhook.ping':
      return 'a test';
    // A type that this version does not know.
    case 'profile.created':
      return `created ${event.subject?.id ?? 'a profile'}`;
    default:
      return `${event.type}, about ${event.subject?.id ?? 'nothing'}`;
  }
}

/** `EventEnvelope` has the fields that every event has. A `KnownEvent` has a type that this version knows. */
export const ageMs = ({ created }: EventEnvelope): number => Date.now() - Date.parse(created);
export const isKnown = (event: Event): event is KnownEvent =>
  ['lifecycle.evaluated', 'webhook.endpoint.auto_disabled', 'webhook.ping'].includes(event.type);
export const typeOf = ({ type }: UnknownEvent): string => type;
// #endregion narrow

// #region added
declare global {
  /** Maps each event type that your service adds to its subject. */
  interface SvcEventTypes {
    'invoice.paid': { id: string; type: 'invoice'; url: string };
  }
}

export const invoiceOf = (event: Event): string | undefined =>
  event.type === 'invoice.paid' ? event.subject.id : undefined;

export const pathOf = ({ subject }: AddedEvent): string => subject.url;
// #endregion added

// #region subject
/** You can compare the type of a subject with any string, even one that this version does not know. */
export function iconOf(subject: EventSubject): string {
  if (subject.type === 'workspace') return 'house';
  if (subject.type === 'contract') return 'scroll';
  return 'box';
}

export const contract: OtherSubject = { id: 'con_1', type: 'contract', url: '/v1/contracts/con_1' };
// #endregion subject
