import { CONFLICTS, type Conflict } from '../conflicts.ts';
import type { ParameterName } from '../derived-types.ts';
import { ERROR_STATUSES, type ErrorBody, type ErrorCode } from '../errors.ts';
import { API_HEADERS } from '../headers.ts';
import { ENDPOINTS_PER_WORKSPACE_MAX, PREVIOUS_SECRETS_MAX } from '../limits.ts';
import type { Operation } from '../operations.ts';
import { pathExamples } from './examples/requests.ts';
import { disabledEndpointId, rotatedSecret, webhookEndpoint } from './examples/resources.ts';
import type { Examples } from './examples/responses.ts';
import { parametersIn, THINGS } from './parameters.ts';

/** The message that the reference server returns for one cause of an error. */
interface Message {
  summary: string;
  message: string;
}

export interface ErrorDescription {
  about: string;
  messages: Readonly<Record<string, Message>>;
}

type ResourceParameter = Exclude<ParameterName, 'workspaceId'>;

const missing = (name: ResourceParameter) => ({
  summary: `There is no such ${THINGS[name]}.`,
  message: `No such ${THINGS[name]}: ${pathExamples[name]}`,
});

/** The messages for missing resources, keyed by path parameter. */
const MISSING: Readonly<Record<ResourceParameter, Message>> = {
  endpointId: missing('endpointId'),
  deliveryId: missing('deliveryId'),
  eventId: missing('eventId'),
};

const conflicting = (name: Conflict, message: string) => ({ summary: CONFLICTS[name], message });

const CONFLICTING: Readonly<Record<Conflict, Message>> = {
  slug: conflicting('slug', 'The slug "staging" is taken within the organization.'),
  endpoints: conflicting('endpoints', `The workspace has ${ENDPOINTS_PER_WORKSPACE_MAX} webhook endpoints already.`),
  secrets: conflicting(
    'secrets',
    `The webhook endpoint ${webhookEndpoint.id} has ${PREVIOUS_SECRETS_MAX} previous secrets that are still valid; the secret can be rotated again at ${rotatedSecret.createdAt}.`,
  ),
  inactive: conflicting('inactive', `The webhook endpoint ${disabledEndpointId} is inactive.`),
  deleted: conflicting('deleted', `The webhook endpoint ${disabledEndpointId} is deleted.`),
};

/** A server test causes each error, and compares the server's message with this table. */
export const errorDescriptions: Readonly<Record<ErrorCode, ErrorDescription>> = {
  VALIDATION: {
    about: 'A parameter, a header or a field of the body is wrong. The message names the wrong part.',
    messages: {
      expand: {
        summary: '`expand` names an unknown field.',
        message: 'Unknown expand field: "members". Available: workspaces.',
      },
      page: {
        summary: '`page` is not a token of this list.',
        message: 'Invalid query: "page" is not a token of this list; follow nextPageUrl and previousPageUrl unchanged.',
      },
      query: {
        summary: 'A parameter is out of bounds.',
        message: 'Invalid query: "limit" must be at most 100.',
      },
      body: {
        summary: 'A field of the body is wrong.',
        message: 'Invalid body: "timezone" must be the name of an IANA time zone, such as Europe/Berlin.',
      },
      json: { summary: 'The body is not JSON.', message: 'The body is not valid JSON.' },
      scope: {
        summary: 'The caller uses a personal access token, and no header names the workspace.',
        message: `Send the id of the workspace in the header ${API_HEADERS.workspaceId}.`,
      },
    },
  },
  UNAUTHENTICATED: {
    about: 'The credential is missing, malformed, unknown or revoked.',
    messages: {
      missing: {
        summary: 'There is no credential.',
        message: 'Send the credential as "Authorization: Bearer <credential>".',
      },
      malformed: {
        summary: 'The credential has no known prefix.',
        message: 'The credential is malformed: it must begin with svc_sk_ or svc_pat_.',
      },
      unknown: { summary: 'The credential is unknown or revoked.', message: 'The credential is unknown or revoked.' },
    },
  },
  FORBIDDEN: {
    about: 'The caller is not allowed to call this operation.',
    messages: {
      role: {
        summary: "The user's role is too low.",
        message: 'The role Viewer lacks the permission workspace:developer:write.',
      },
      workspace: {
        summary: 'The caller is not a member of the workspace, or the workspace does not exist.',
        message: 'The credential has no access to this workspace.',
      },
      apiKey: {
        summary: 'The caller is an API key.',
        message: 'This operation needs a personal access token: an API key is bound to one workspace.',
      },
    },
  },
  NOT_FOUND: { about: 'The workspace has no such resource.', messages: MISSING },
  METHOD_NOT_ALLOWED: {
    about: 'The path has no such method.',
    messages: {
      method: {
        summary: 'The path does not support the method.',
        message: '/v1/webhooks/endpoints does not support PUT. Its methods are GET, HEAD, POST.',
      },
    },
  },
  REQUEST_TIMEOUT: {
    about: 'The request arrived too slowly.',
    messages: { slow: { summary: 'The client stopped sending.', message: 'The request was not sent in time.' } },
  },
  CONFLICT: { about: 'The state of the resource does not allow the operation.', messages: CONFLICTING },
  PAYLOAD_TOO_LARGE: {
    about: 'The body is over 1 MiB.',
    messages: { body: { summary: 'The body is too large.', message: 'The body exceeds 1048576 bytes.' } },
  },
  URI_TOO_LONG: {
    about: 'Path and query are over 8,192 characters.',
    messages: { target: { summary: 'The URL is too long.', message: 'Path and query exceed 8192 characters.' } },
  },
  UNSUPPORTED_MEDIA_TYPE: {
    about: 'The body is not plain JSON.',
    messages: {
      type: {
        summary: 'The media type of the body is not JSON.',
        message: 'Send the body as JSON, with "Content-Type: application/json".',
      },
      encoding: { summary: 'The body is compressed.', message: 'Send the body without a Content-Encoding.' },
    },
  },
  RATE_LIMITED: {
    about: 'The credential has exceeded its rate limit.',
    messages: {
      apiKey: { summary: 'An API key has exceeded its limit.', message: 'Over 300 requests in 60 seconds; wait 42 s.' },
      token: { summary: 'A token has exceeded its limit.', message: 'Over 120 requests in 60 seconds; wait 42 s.' },
    },
  },
  HEADERS_TOO_LARGE: {
    about: 'The headers are over 32 KiB.',
    messages: { headers: { summary: 'The headers are too large.', message: 'The headers exceed 32768 bytes.' } },
  },
  INTERNAL: {
    about: 'The server failed.',
    messages: {
      fault: {
        summary: 'The log of the server has the details.',
        message: `The server failed. Search the server's log for the ${API_HEADERS.requestId} of this response.`,
      },
    },
  },
  UNAVAILABLE: {
    about: 'The database is unavailable, or the server is shutting down.',
    messages: {
      database: {
        summary: 'The database is unavailable.',
        message: 'The database is unavailable; nothing was changed. Try again.',
      },
      closing: { summary: 'The server is shutting down.', message: 'The server is shutting down.' },
    },
  },
};

export const errorExamples = (code: ErrorCode): Examples<ErrorBody> =>
  Object.fromEntries(
    Object.entries(errorDescriptions[code].messages).map(([name, { summary, message }]) => [
      name,
      { summary, value: { error: { code, message } } },
    ]),
  );

/** Says what the service document omits about an error. */
function sourceOf(code: ErrorCode): string {
  if (code === 'VALIDATION') return '';
  return code === 'FORBIDDEN'
    ? ' The service document does not show the code.'
    : ' The service document does not list this error.';
}

/** These errors occur before the rate limiter counts the request, so their responses have no rate-limit headers. */
const UNCOUNTED: readonly ErrorCode[] = ['UNAUTHENTICATED', 'REQUEST_TIMEOUT', 'URI_TOO_LONG', 'HEADERS_TOO_LARGE'];

const headersOf = (code: ErrorCode) => ({
  [API_HEADERS.requestId]: { $ref: '#/components/headers/RequestId' },
  ...(!UNCOUNTED.includes(code) && {
    [API_HEADERS.rateLimit]: { $ref: '#/components/headers/RateLimit' },
    [API_HEADERS.rateLimitPolicy]: { $ref: '#/components/headers/RateLimitPolicy' },
  }),
  ...(code === 'UNAUTHENTICATED' && { 'WWW-Authenticate': { $ref: '#/components/headers/Authenticate' } }),
  ...((code === 'RATE_LIMITED' || code === 'UNAVAILABLE') && {
    [API_HEADERS.retryAfter]: { $ref: '#/components/headers/RetryAfter' },
  }),
});

const response = (code: ErrorCode, about: string, examples: Examples<ErrorBody>) => ({
  description: about + sourceOf(code),
  headers: headersOf(code),
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' }, examples } },
});

export const errorResponse = (code: ErrorCode) => response(code, errorDescriptions[code].about, errorExamples(code));

/** The errors that every operation can return. */
export const COMMON_ERRORS = [
  'VALIDATION',
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'REQUEST_TIMEOUT',
  'PAYLOAD_TOO_LARGE',
  'URI_TOO_LONG',
  'UNSUPPORTED_MEDIA_TYPE',
  'RATE_LIMITED',
  'HEADERS_TOO_LARGE',
  'INTERNAL',
  'UNAVAILABLE',
] as const satisfies readonly ErrorCode[];

/** Returns the value of `components.responses`. */
export const commonErrorResponses = (): Record<string, object> =>
  Object.fromEntries(COMMON_ERRORS.map((code) => [code, errorResponse(code)]));

/** Returns an operation's responses for missing resources and for conflicts, keyed by status. */
export function ownErrorResponses({ path, conflicts }: Operation): Record<string, object> {
  const resources = parametersIn<ParameterName>(path).filter((name) => name !== 'workspaceId');
  const own = (code: 'NOT_FOUND' | 'CONFLICT', causes: readonly string[]) => {
    const examples = Object.entries(errorExamples(code)).filter(([name]) => causes.includes(name));
    const about = examples.map(([, { summary }]) => summary).join(' ');
    return causes.length > 0 && { [ERROR_STATUSES[code]]: response(code, about, Object.fromEntries(examples)) };
  };
  return { ...own('NOT_FOUND', resources), ...own('CONFLICT', conflicts) };
}
