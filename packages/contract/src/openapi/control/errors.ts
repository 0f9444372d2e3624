import type { ControlOperationName } from '../../control/operation-types.ts';
import type { ControlOperation, controlOperations } from '../../control/operations.ts';
import type { PathParameters } from '../../derived-types.ts';
import { ERROR_STATUSES, type ErrorBody, type ErrorCode } from '../../errors.ts';
import { API_HEADERS } from '../../headers.ts';
import { type ErrorDescription, errorDescriptions } from '../errors.ts';
import type { Examples } from '../examples/responses.ts';
import { parametersIn, THINGS } from '../parameters.ts';
import { controlPathExamples as of } from './examples.ts';

type Table = typeof controlOperations;
type StatusOf<Name extends ControlOperationName> = Table[Name] extends { errors: infer Errors } ? keyof Errors : never;

/**
 * These errors need no entry in `MESSAGES`. The message for a missing resource (404) is derived from the path. A wait
 * that times out (408) has its own response.
 */
type Derived<Path extends string> = 408 | ([PathParameters<Path>] extends [never] ? never : 404);
type Stated<Name extends ControlOperationName> = Exclude<StatusOf<Name>, Derived<Table[Name]['path']>>;

interface Cause {
  summary: string;
  message: string;
}

type Messages = {
  readonly [Name in ControlOperationName as [Stated<Name>] extends [never] ? never : Name]: {
    readonly [Status in Stated<Name>]: readonly (string | Cause)[];
  };
};

const missing = (name: keyof typeof of): Cause => ({
  summary: `No such ${THINGS[name]}.`,
  message: `No such ${THINGS[name]}: ${of[name]}`,
});

/**
 * The messages of the errors in the table of operations. Each cause of an error has its own message. If an entry is
 * only a string, the string is the message, and the error's description in the table of operations is the summary. A
 * test of the server causes each of these errors.
 */
const MESSAGES: Messages = {
  wait: { 404: [missing('deliveryId'), missing('eventId'), missing('endpointId')] },
  createEvent: {
    404: [missing('workspaceId')],
    503: [
      {
        summary: 'Too many deliveries are waiting to be stored.',
        message: '4096 deliveries are waiting to be stored. Nothing was changed; try again.',
      },
      {
        summary: 'The database became unavailable after some of the events were stored.',
        message: 'The database is unavailable. The first 10 of 30 events are stored; send the other events again.',
      },
    ],
  },
  createOrganization: { 409: ['The slug "acme" is taken.'] },
  createWorkspace: {
    404: [missing('organizationId')],
    409: ['The slug "acme-production" is taken within the organization.'],
  },
  createUser: { 409: ['A user already has the email ada@acme.example.'] },
  setWorkspaceOverride: {
    409: [`The user ${of.userId} is not a member of the organization ${of.organizationId}.`],
  },
  createCredential: { 404: [missing('workspaceId'), missing('userId')] },
  importProfiles: {
    415: [
      'Send one profile on each line with "Content-Type: application/x-ndjson", or a JSON array with "Content-Type: application/json".',
    ],
  },
  syncDataSource: { 409: ['Callers push the profiles of this workspace, so there is no data source to read.'] },
  createFault: { 409: ['There are 1000 faults already. Clear them first.'] },
  createSession: {
    401: ['Send the admin token to get an admin session.'],
    404: [missing('userId'), missing('workspaceId')],
  },
  listEndpoints: { 404: [missing('workspaceId')] },
  signDelivery: { 409: [`The webhook endpoint ${of.endpointId} is deleted.`] },
  restoreSnapshot: {
    409: [
      'The snapshot cannot be restored, and nothing was changed. Line 3 of the export is broken: the line is not JSON.',
    ],
  },
  find: { 404: [`No such id: ${of.deliveryId}`] },
  exportData: { 409: ['This server is already running 2 exports. Wait until one of them has ended.'] },
};

/**
 * The errors that any call can return. `/v1` also returns the errors that come from `errorDescriptions`, for the same
 * causes and with the same messages.
 */
const COMMON = {
  UNAUTHENTICATED: {
    about: 'The server has an admin token, and the request has neither this token nor an admin session.',
    messages: {
      token: {
        summary: 'The admin token is missing or wrong.',
        message: 'Send the admin token as "Authorization: Bearer <token>".',
      },
    },
  },
  FORBIDDEN: {
    about:
      'The header Host or Origin does not contain a name of this server, the request is a webhook delivery, or the server runs with the strict profile and without an admin token.',
    messages: {
      host: {
        summary: 'The header Host does not contain a name of this server.',
        message:
          "The control API responds only to the server's own host names. To add a host name, start the server with --public-url.",
      },
      origin: {
        summary: 'A web page from another origin sent the request.',
        message: 'The control API does not accept requests from web pages of other origins.',
      },
      strict: {
        summary: 'The server runs with the strict profile and without an admin token.',
        message: 'In the strict profile, the control API requires --admin-token.',
      },
    },
  },
  REQUEST_TIMEOUT: errorDescriptions.REQUEST_TIMEOUT,
  PAYLOAD_TOO_LARGE: {
    about: 'The body is over 64 MiB.',
    messages: { body: { summary: 'The body is too large.', message: 'The body exceeds 67108864 bytes.' } },
  },
  URI_TOO_LONG: errorDescriptions.URI_TOO_LONG,
  UNSUPPORTED_MEDIA_TYPE: {
    about: 'The Content-Type is missing or not JSON.',
    messages: {
      type: {
        summary: 'The Content-Type is missing or not JSON.',
        message: 'Send "Content-Type: application/json", even without a body.',
      },
    },
  },
  HEADERS_TOO_LARGE: errorDescriptions.HEADERS_TOO_LARGE,
  INTERNAL: errorDescriptions.INTERNAL,
  UNAVAILABLE: errorDescriptions.UNAVAILABLE,
} satisfies Partial<Record<ErrorCode, ErrorDescription>>;

type CommonCode = keyof typeof COMMON;

const INVALID: Readonly<Record<'query' | 'twice' | 'body' | 'json', ErrorDescription['messages'][string]>> = {
  query: {
    summary: 'The operation has no such parameter.',
    message: 'Invalid query: it has unknown parameters: pageSize.',
  },
  twice: { summary: 'A parameter is given twice.', message: 'Invalid query: "limit" is given twice.' },
  body: { summary: 'The body has no such field.', message: 'Invalid body: it has unknown fields: pageSize.' },
  json: errorDescriptions.VALIDATION.messages['json'] as ErrorDescription['messages'][string],
};

const CODES = new Map(Object.entries(ERROR_STATUSES).map(([code, status]) => [String(status), code as ErrorCode]));

type Causes = ErrorDescription['messages'];

const examplesOf = (code: ErrorCode, causes: Causes): Examples<ErrorBody> =>
  Object.fromEntries(
    Object.entries(causes).map(([name, { summary, message }]) => [
      name,
      { summary, value: { error: { code, message } } },
    ]),
  );

const response = (code: ErrorCode, about: string, causes: Causes): object => ({
  description: about,
  headers: {
    [API_HEADERS.requestId]: { $ref: '#/components/headers/RequestId' },
    ...(code === 'UNAUTHENTICATED' && { 'WWW-Authenticate': { $ref: '#/components/headers/Authenticate' } }),
    ...(code === 'UNAVAILABLE' && { [API_HEADERS.retryAfter]: { $ref: '#/components/headers/RetryAfter' } }),
  },
  content: {
    'application/json': { schema: { $ref: '#/components/schemas/Error' }, examples: examplesOf(code, causes) },
  },
});

/** Returns the value of `components.responses`. */
export const commonErrorResponses = (): Record<string, object> =>
  Object.fromEntries(
    Object.entries(COMMON).map(([code, { about, messages }]) => [code, response(code as ErrorCode, about, messages)]),
  );

export function errorResponsesOf(
  name: ControlOperationName,
  operation: ControlOperation,
  takes: { body: boolean },
): Record<string, object> {
  const { errors = {} } = operation;
  const { query, twice, ...ofBody } = INVALID;
  const about = takes.body ? 'A field or a parameter is invalid.' : 'A parameter is invalid.';
  const common = (Object.keys(COMMON) as CommonCode[]).filter(
    (code) =>
      (code !== 'UNSUPPORTED_MEDIA_TYPE' || operation.method !== 'GET') &&
      (code !== 'PAYLOAD_TOO_LARGE' || (takes.body && !operation.streamed)),
  );
  return {
    400: response('VALIDATION', about, { query, twice, ...(takes.body && (operation.streamed ? {} : ofBody)) }),
    ...Object.fromEntries(
      common.map((code) => [String(ERROR_STATUSES[code]), { $ref: `#/components/responses/${code}` }]),
    ),
    ...Object.fromEntries(
      Object.entries(errors).map(([status, text]) => [status, ownError(name, operation, status, text)]),
    ),
  };
}

/** Lists the operation's own causes before the causes that all operations share. */
function ownError(name: ControlOperationName, { path }: ControlOperation, status: string, about: string): object {
  const code = CODES.get(status) ?? 'INTERNAL';
  const stated = (MESSAGES as Partial<Record<string, Readonly<Record<string, readonly (string | Cause)[]>>>>)[name]?.[
    status
  ];
  const messages = stated ?? parametersIn(path).map(missing);
  const causes = Object.fromEntries(
    messages.map((cause, index) => [
      `cause${index + 1}`,
      typeof cause === 'string' ? { summary: about, message: cause } : cause,
    ]),
  );
  return response(code, about, {
    ...causes,
    ...(code in COMMON && code !== 'UNSUPPORTED_MEDIA_TYPE' && COMMON[code as CommonCode].messages),
  });
}
