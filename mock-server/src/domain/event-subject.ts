import { type EventSubject, type EventType, ID_PREFIXES } from '@svc/contract';

/** The one kind of resource that the events of a type are about. */
interface SubjectKind {
  what: string;
  type: string;
  idPrefix: string;
  /** The path of its retrieve endpoint, without the id. */
  path: string;
}

const WORKSPACE: SubjectKind = {
  what: 'a workspace',
  type: 'workspace',
  idPrefix: ID_PREFIXES.workspace,
  path: '/v1/workspaces',
};
const ENDPOINT: SubjectKind = {
  what: 'an endpoint',
  type: 'webhook_endpoint',
  idPrefix: ID_PREFIXES.webhookEndpoint,
  path: '/v1/webhooks/endpoints',
};

/**
 * The kind of subject of each published type (service document, "Event types"). If undefined, its events have no
 * subject.
 */
const KINDS: { readonly [Type in EventType]: SubjectKind | undefined } = {
  'lifecycle.evaluated': WORKSPACE,
  'webhook.endpoint.auto_disabled': ENDPOINT,
  'webhook.ping': undefined,
};

/** Each delivery of an event carries its subject, even while it waits in the engine's memory. */
const SUBJECT_MAX_BYTES = 64 * 1024;

const isPublished = (type: string): type is EventType => Object.hasOwn(KINDS, type);

const subjectOf = ({ type, path }: SubjectKind, id: string): EventSubject => ({ id, type, url: `${path}/${id}` });

/** The subject of an event that is created without one, or `undefined` if there is no obvious one. */
export function defaultSubject(type: string, workspaceId: string): EventSubject | undefined {
  return isPublished(type) && KINDS[type] === WORKSPACE ? subjectOf(WORKSPACE, workspaceId) : undefined;
}

/**
 * Why an event of this type cannot have this subject, as the rest of a sentence, or `undefined` if it can. A type that a
 * seed adds takes any subject of at most 64 KiB, or none.
 *
 * @param write Writes an example the way the caller passes a subject.
 */
export function subjectProblem(
  type: string,
  subject: Pick<EventSubject, 'id' | 'type'> | undefined,
  write: (example: EventSubject) => string,
): string | undefined {
  const bytes = subject ? Buffer.byteLength(JSON.stringify(subject)) : 0;
  if (bytes > SUBJECT_MAX_BYTES) {
    return `must have at most 64 KiB of JSON; this one has ${bytes.toLocaleString('en-US')} bytes`;
  }
  if (!isPublished(type)) return undefined;
  const kind = KINDS[type];
  if (kind === undefined) return subject && `must be omitted: ${type} has no subject`;
  if (subject === undefined && defaultSubject(type, '') !== undefined) return undefined;
  if (subject?.type === kind.type && subject.id.startsWith(kind.idPrefix)) return undefined;
  const expected = `be ${kind.what}, such as ${write(subjectOf(kind, `${kind.idPrefix}…`))}`;
  return subject ? `of ${type} must ${expected}` : `is missing; for ${type} it must ${expected}`;
}
