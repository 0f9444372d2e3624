import { type EventSubject, type EventType, ID_PREFIXES } from '@svc/contract';

interface SubjectKind {
  what: string;
  type: string;
  idPrefix: string;
  /** The path of a resource, without the id. */
  path: string;
}

export const WORKSPACE: SubjectKind = {
  what: 'a workspace',
  type: 'workspace',
  idPrefix: ID_PREFIXES.workspace,
  path: '/v1/workspaces',
};
export const ENDPOINT: SubjectKind = {
  what: 'an endpoint',
  type: 'webhook_endpoint',
  idPrefix: ID_PREFIXES.webhookEndpoint,
  path: '/v1/webhooks/endpoints',
};

/** The subject of each published event type (service document, "Event types"). `undefined` means no subject. */
const KINDS: { readonly [Type in EventType]: SubjectKind | undefined } = {
  'lifecycle.evaluated': WORKSPACE,
  'webhook.endpoint.auto_disabled': ENDPOINT,
  'webhook.ping': undefined,
};

/** Limits the size of a subject, because each delivery in the engine's memory contains its event's subject. */
const SUBJECT_MAX_BYTES = 64 * 1024;

const isPublished = (type: string): type is EventType => Object.hasOwn(KINDS, type);

export const subjectOf = ({ type, path }: SubjectKind, id: string): EventSubject => ({
  id,
  type,
  url: `${path}/${id}`,
});

export function defaultSubject(type: string, workspaceId: string): EventSubject | undefined {
  return isPublished(type) && KINDS[type] === WORKSPACE ? subjectOf(WORKSPACE, workspaceId) : undefined;
}

/**
 * Returns the problem with a subject, as the end of a sentence: `must be at most 64 KiB of JSON`. An event type from a
 * seed can have any subject, or none.
 *
 * @param write - Formats an example subject in the same syntax as the caller's input.
 */
export function subjectProblem(
  type: string,
  subject: Pick<EventSubject, 'id' | 'type'> | undefined,
  write: (example: EventSubject) => string,
): string | undefined {
  const bytes = subject ? Buffer.byteLength(JSON.stringify(subject)) : 0;
  if (bytes > SUBJECT_MAX_BYTES) {
    return `must be at most 64 KiB of JSON; this subject has ${bytes.toLocaleString('en-US')} bytes`;
  }
  if (!isPublished(type)) return undefined;
  const kind = KINDS[type];
  if (kind === undefined) return subject && `must be omitted: ${type} has no subject`;
  if (subject === undefined && defaultSubject(type, '') !== undefined) return undefined;
  if (subject?.type === kind.type && subject.id.startsWith(kind.idPrefix)) return undefined;
  const expected = `be ${kind.what}, such as ${write(subjectOf(kind, `${kind.idPrefix}…`))}`;
  return subject ? `of ${type} must ${expected}` : `is missing; for ${type} it must ${expected}`;
}
