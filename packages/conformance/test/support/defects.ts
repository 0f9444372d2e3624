import type { Defect, ServedResponse } from './broken.ts';
import { lifecycleDefects } from './lifecycle-defects.ts';

const resourcesOf = ({ body }: ServedResponse): Record<string, unknown>[] =>
  [...(body?.data ?? []), body?.workspace, body?.endpoint].filter((found) => found?.createdAt !== undefined);

/** Defects that contradict the service document, each with the statement that detects it. */
export const defects: readonly Defect[] = [
  {
    does: 'takes no notice of createdTo',
    caughtBy: 'deliveries.filters',
    asks: (target) => target.replace(/([?&])createdTo=[^&]*/, '$1'),
  },
  {
    does: 'tells the rate limit in good responses only',
    caughtBy: 'rate.headers',
    answers: ({ status, headers }) => {
      if (status >= 400 && status !== 429) headers.delete('ratelimit');
    },
  },
  {
    does: 'says that the window ends now',
    caughtBy: 'rate.headers',
    answers: ({ headers }) => {
      const limit = headers.get('ratelimit');
      if (limit) headers.set('ratelimit', limit.replace(/t=\d+/, 't=0'));
    },
  },
  {
    does: 'asks to wait for a day',
    caughtBy: 'rate.refused',
    answers: ({ status, headers }) => {
      if (status === 429) headers.set('retry-after', '86400');
    },
  },
  {
    does: 'embeds workspaces with one permission each',
    caughtBy: 'access.workspace-permissions',
    answers: ({ body }, { path }) => {
      if (path !== '/v1/organizations') return;
      for (const { workspaces = [] } of body.data ?? []) {
        for (const workspace of workspaces) workspace.permissions.splice(1);
      }
    },
  },
  {
    does: 'tells a token of no permission in its workspace',
    caughtBy: 'access.workspace-permissions',
    answers: ({ body }, { path }) => {
      if (path === '/v1/me' && body.workspace?.role) body.workspace.permissions = [];
    },
  },
  {
    does: 'shows the whole secret as its preview',
    caughtBy: 'resources.secret-preview',
    answers: ({ body }) => {
      if (body?.secret) body.secret.secretPreview = body.secret.secret;
    },
  },
  {
    does: 'never moves updatedAt',
    caughtBy: 'resources.updated-at',
    answers: (answer) => {
      for (const resource of resourcesOf(answer)) resource['updatedAt'] = resource['createdAt'];
    },
  },
  {
    does: 'describes no type of its catalog',
    caughtBy: 'resources.catalog-item',
    answers: ({ body }, { path }) => {
      if (path.endsWith('/event-types')) for (const item of body.data ?? []) item.description = '';
    },
  },
  {
    does: 'titles what it finds with a question mark',
    caughtBy: 'shapes.search',
    answers: ({ body }, { path }) => {
      if (path === '/v1/search') for (const item of body.data ?? []) Object.assign(item, { title: '?', url: null });
    },
  },
  {
    does: 'finds the worst match first',
    caughtBy: 'shapes.search',
    answers: ({ body }, { path }) => {
      if (path === '/v1/search') body.data?.reverse();
    },
  },
  {
    does: 'answers the replay of an unknown delivery with a conflict',
    caughtBy: 'errors.not-found',
    answers: (answer, { path }) => {
      if (answer.status === 404 && path.endsWith('/replay')) answer.status = 409;
    },
  },
  {
    does: "tells a neighbour's id from one that nobody has",
    caughtBy: 'errors.not-found',
    answers: ({ status, body }, { path }) => {
      if (status === 404 && path.includes('whe_') && !path.includes('0000000000'))
        body.error.message += ' It exists elsewhere.';
    },
  },
  {
    does: 'shows the next attempt of a delivery in the past',
    caughtBy: 'states.failed-attempt-500',
    answers: ({ body }) => {
      if (body?.delivery?.nextAttemptAt) body.delivery.nextAttemptAt = '2000-01-01T00:00:00.000Z';
    },
  },
  {
    does: 'gives a page URL at the end of a list',
    caughtBy: 'pages.walk-events',
    answers: ({ body }) => {
      if (body?.nextPageUrl === null) body.nextPageUrl = 'http://127.0.0.1:4010/v1/events?page=x';
    },
  },
  {
    does: 'puts the trace of an error into its message',
    caughtBy: 'errors.head',
    answers: ({ status, body }) => {
      if (status === 404) body.error.message += ' at handle (/srv/app.js:1:1)';
    },
  },
  ...lifecycleDefects,
];
