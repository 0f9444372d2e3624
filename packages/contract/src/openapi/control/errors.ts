import type { ControlOperationName } from '../../control/operation-types.ts';
import type { ControlOperation } from '../../control/operations.ts';
import { ERROR_STATUSES, type ErrorBody, type ErrorCode } from '../../errors.ts';
import { controlPathExamples } from './examples.ts';

const CODES = new Map(Object.entries(ERROR_STATUSES).map(([code, status]) => [status, code as ErrorCode]));

/** The errors that every call can have, by status, with the server's message. */
const COMMON: Readonly<Record<number, { about: string; message: string }>> = {
  400: { about: 'A field or a parameter is invalid.', message: 'Invalid body: it has unknown fields: pageSize.' },
  401: {
    about: 'The server has an admin token, and the request has neither it nor an admin session.',
    message: 'Send the admin token as "Authorization: Bearer <token>".',
  },
  403: {
    about:
      'The Host or Origin is not one of this server, the request is a delivery, or the strict profile has no admin token.',
    message: 'The control API does not answer requests from other web pages.',
  },
  415: {
    about: 'The Content-Type is missing or not one of these.',
    message: 'Send "Content-Type: application/json", also without a body.',
  },
};

/** What the server calls the things that a path names. */
const KINDS: Readonly<Record<string, string>> = {
  organizationId: 'organization',
  workspaceId: 'workspace',
  userId: 'user',
  credentialId: 'credential',
  profileId: 'profile',
  deliveryId: 'webhook delivery',
  endpointId: 'webhook endpoint',
  eventId: 'event',
  requestId: 'request',
  faultId: 'fault',
  name: 'snapshot',
};

/** The server's messages for errors that have more causes than a missing thing. */
const MESSAGES: Partial<Record<ControlOperationName, Readonly<Record<number, string>>>> = {
  wait: { 404: `No such webhook delivery: ${controlPathExamples['deliveryId']}` },
  createEvent: {
    404: `No such workspace: ${controlPathExamples['workspaceId']}`,
    503: 'Too many deliveries are waiting to be written. Try again later.',
  },
  createOrganization: { 409: 'The slug "acme" is taken.' },
  createWorkspace: {
    404: `No such organization: ${controlPathExamples['organizationId']}`,
    409: 'The slug "acme-production" is taken within the organization.',
  },
  createUser: { 409: 'There is a user with the email ada@acme.example.' },
  setWorkspaceOverride: {
    409: `The user ${controlPathExamples['userId']} is not a member of the organization ${controlPathExamples['organizationId']}.`,
  },
  createCredential: { 404: `No such workspace: ${controlPathExamples['workspaceId']}` },
  syncDataSource: { 409: 'The profiles of this workspace are pushed: there is no source to read.' },
  createFault: { 409: 'There are 1000 faults already. Clear them first.' },
  createSession: {
    401: 'Send the admin token to get an admin session.',
    404: `No such workspace: ${controlPathExamples['workspaceId']}`,
  },
  listEndpoints: { 404: `No such workspace: ${controlPathExamples['workspaceId']}` },
  signDelivery: { 409: `The webhook endpoint ${controlPathExamples['endpointId']} is deleted.` },
  find: { 404: `No such id: ${controlPathExamples['deliveryId']}` },
  exportData: { 409: 'This server already runs 2 exports. Wait until one of them has ended.' },
};

/** The last parameter in the path names what is missing. */
function missing(path: string): string {
  const name = [...path.matchAll(/\{(\w+)\}/g)].at(-1)?.[1] ?? '';
  return `No such ${KINDS[name]}: ${controlPathExamples[name]}`;
}

/** The response of each error of an operation, by status. */
export function errorResponsesOf(name: ControlOperationName, operation: ControlOperation): Record<string, object> {
  const { path, method, errors = {} } = operation;
  const common = Object.keys(COMMON).filter((status) => method !== 'GET' || status !== '415');
  const statuses = [...new Set([...common, ...Object.keys(errors)])].filter((status) => status !== '408');
  return Object.fromEntries(
    statuses.map((status) => {
      const message =
        MESSAGES[name]?.[Number(status)] ?? (status === '404' ? missing(path) : COMMON[Number(status)]?.message);
      const code = CODES.get(Number(status) as never) ?? 'INTERNAL';
      const value: ErrorBody = { error: { code, message: String(message) } };
      return [
        status,
        {
          description: errors[Number(status)] ?? COMMON[Number(status)]?.about,
          content: {
            'application/json': {
              schema: { $ref: '#/components/schemas/Error' },
              examples: { example: { summary: 'The error of the server.', value } },
            },
          },
        },
      ];
    }),
  );
}
