import type { Defect, ServedResponse } from './broken.ts';

const isList = ({ body }: ServedResponse) => Array.isArray(body?.data);
const isError = ({ status }: ServedResponse) => status >= 400;

/** Twenty ways to contradict the service document, each with the statement that finds it. */
export const TWENTY_FAULTS: readonly Defect[] = [
  {
    does: 'calls its JSON plain text',
    caughtBy: 'resources.json',
    answers: (answer) => {
      if (isError(answer)) answer.headers.set('content-type', 'text/plain');
    },
  },
  {
    does: 'shows times without their zone',
    caughtBy: 'resources.timestamps',
    answers: ({ body }) => {
      if (body?.workspace?.createdAt) body.workspace.createdAt = body.workspace.createdAt.replace('Z', '');
    },
  },
  {
    does: 'gives secrets the prefix of something else',
    caughtBy: 'resources.prefixes',
    answers: ({ body }) => {
      if (body?.secret?.id) body.secret.id = body.secret.id.replace('whs_', 'sec_');
    },
  },
  {
    does: 'shows the secret of an endpoint again',
    caughtBy: 'resources.secret-once',
    answers: ({ body }, { method }) => {
      if (method === 'GET' && body?.endpoint) body.endpoint.secret = 'whsec_again';
    },
  },
  {
    does: 'leaves out a field of a delivery',
    caughtBy: 'delivery.fields',
    answers: ({ body }) => {
      for (const row of [...(body?.data ?? []), body?.delivery]) delete row?.responseTimeMs;
    },
  },
  {
    does: 'says that a retry was due in the past',
    caughtBy: 'states.failed-attempt-503',
    answers: ({ body }) => {
      if (body?.delivery?.nextAttemptAt) body.delivery.nextAttemptAt = '2000-01-01T00:00:00.000Z';
    },
  },
  {
    does: 'shows every endpoint as active',
    caughtBy: 'activity.auto-disable',
    answers: ({ body }) => {
      if (body?.endpoint) body.endpoint.active = true;
    },
  },
  {
    does: 'adds a total to its lists',
    caughtBy: 'lists.envelope',
    answers: (answer) => {
      if (isList(answer)) answer.body.total = answer.body.data.length;
    },
  },
  {
    does: 'has pages of fifty rows',
    caughtBy: 'lists.limit',
    asks: (target) => (/^\/v1\/events$/.test(target) ? `${target}?limit=50` : target),
  },
  {
    does: 'begins again if a page token is not valid',
    caughtBy: 'lists.invalid-page',
    asks: (target) => target.replace(/([?&])page=nonsense/, '$1'),
  },
  {
    does: 'has its own message for an unknown expand',
    caughtBy: 'expand.unknown',
    answers: ({ body }) => {
      if (body?.error?.message?.includes('expand')) body.error.message = 'Unknown field.';
    },
  },
  {
    does: 'has a next page after the last one',
    caughtBy: 'pages.walk-webhooks-deliveries',
    answers: ({ body }, { path }) => {
      if (path === '/v1/webhooks/deliveries') body.nextPageUrl ??= 'http://127.0.0.1/v1/webhooks/deliveries?page=x';
    },
  },
  {
    does: 'lists the oldest endpoint first',
    caughtBy: 'pages.newest-first',
    answers: ({ body }, { method, path }) => {
      if (method === 'GET' && path === '/v1/webhooks/endpoints') body.data?.reverse();
    },
  },
  {
    does: 'lets two workspaces of an organization have one slug',
    caughtBy: 'workspaces.slug-unique',
    answers: (answer, { path }) => {
      if (answer.status === 409 && path.startsWith('/v1/workspaces/')) answer.status = 200;
    },
  },
  {
    does: 'responds to a deletion with nothing',
    caughtBy: 'endpoints.crud',
    answers: (answer, { method }) => {
      if (method === 'DELETE' && answer.status === 200) answer.body = {};
    },
  },
  {
    does: 'takes no notice of createdFrom',
    caughtBy: 'deliveries.filters',
    asks: (target) => target.replace(/([?&])createdFrom=[^&]*/, '$1'),
  },
  {
    does: 'signs with another secret than it shows',
    caughtBy: 'events.signature',
    answers: ({ body }, { path }) => {
      if (path === '/v1/webhooks/endpoints' && body?.secret) body.secret.secret = `whsec_${'A'.repeat(42)}_`;
    },
  },
  {
    does: 'forbids what is not authenticated',
    caughtBy: 'auth.every-request',
    answers: (answer) => {
      if (answer.status === 401) answer.status = 403;
    },
  },
  {
    does: 'hides a workspace from those who are no members',
    caughtBy: 'auth.path-membership',
    answers: (answer, { path }) => {
      if (answer.status === 403 && path.startsWith('/v1/workspaces/')) answer.status = 404;
    },
  },
  {
    does: 'describes errors in its own way',
    caughtBy: 'errors.shape',
    answers: (answer) => {
      if (isError(answer) && answer.body?.error) answer.body.error.status = answer.status;
    },
  },
];
