import type {
  AddedEvent,
  ApiKeyClient,
  Event,
  EventEnvelope,
  EventSubject,
  KnownEvent,
  OtherSubject,
  OtherSubjectType,
  UnknownEvent,
  Unlisted,
} from '@svc/client';

// #region narrow
/** Checking `event.type` narrows the type of `event.subject`. */
export async function describe(svc: ApiKeyClient, event: Event): Promise<string> {
  switch (event.type) {
    case 'lifecycle.evaluated':
      return `evaluated ${(await svc.follow(event.subject)).name}`;
    case 'webhook.endpoint.auto_disabled':
      return `disabled ${(await svc.follow(event.subject)).url}`;
    case 'webhook.ping':
      return 'a test';
    default: {
      const type: string = event.type;
      return `${type}, about ${event.subject?.id ?? 'nothing'}`;
    }
  }
}

/** `EventEnvelope` has the fields of every event. A `KnownEvent` has a type that this version knows. */
export const ageMs = ({ created }: EventEnvelope): number => Date.now() - Date.parse(created);
export const isKnown = (event: Event): event is KnownEvent =>
  ['lifecycle.evaluated', 'webhook.endpoint.auto_disabled', 'webhook.ping'].includes(event.type);
export const typeOf = ({ type }: UnknownEvent): string => type satisfies Unlisted;
// #endregion narrow

// #region added
declare module '@svc/client' {
  /** Maps each event type that your service adds to its subject. */
  interface AddedEvents {
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

const type: OtherSubjectType = 'contract';
export const contract: OtherSubject = { id: 'con_1', type, url: '/v1/contracts/con_1' };
// #endregion subject
