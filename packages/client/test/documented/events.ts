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
/** The type of an event tells what its subject is. */
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

/** What this version knows, and what it does not. */
export const ageMs = ({ created }: EventEnvelope): number => Date.now() - Date.parse(created);
export const isKnown = (event: Event): event is KnownEvent =>
  ['lifecycle.evaluated', 'webhook.endpoint.auto_disabled', 'webhook.ping'].includes(event.type);
export const typeOf = ({ type }: UnknownEvent): string => type satisfies Unlisted;
// #endregion narrow

// #region added
declare module '@svc/client' {
  /** Event types that your service adds, each with its subject. */
  interface AddedEvents {
    'invoice.paid': { id: string; type: 'invoice'; url: string };
  }
}

export const invoiceOf = (event: Event): string | undefined =>
  event.type === 'invoice.paid' ? event.subject.id : undefined;

export const pathOf = ({ subject }: AddedEvent): string => subject.url;
// #endregion added

// #region subject
/** The type of a subject can be compared with any word, also with one that no event here has. */
export function iconOf(subject: EventSubject): string {
  if (subject.type === 'workspace') return 'house';
  if (subject.type === 'contract') return 'scroll';
  return 'box';
}

const type: OtherSubjectType = 'contract';
export const contract: OtherSubject = { id: 'con_1', type, url: '/v1/contracts/con_1' };
// #endregion subject
