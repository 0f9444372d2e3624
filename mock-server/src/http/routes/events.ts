import type { Event } from '@svc/contract';
import { findEventBody, listEvents as listEventRows } from '../../storage/statements/events.ts';
import { found } from '../errors.ts';
import { respondWithPage } from '../list.ts';
import type { Handler } from '../operation.ts';

export const listEvents: Handler<'listEvents'> = async (request) =>
  await respondWithPage(
    request,
    (queries, bound, limit) =>
      listEventRows(queries, { ...request.query, workspaceId: request.scope.workspaceId }, bound, limit),
    (row) => row.id,
    (row) => JSON.parse(row.body) as Event,
  );

/**
 * The stored envelope is the output of `JSON.stringify`. So the response has the same bytes as the stored envelope,
 * although the envelope is parsed here and stringified again.
 */
export const retrieveEvent: Handler<'retrieveEvent'> = async ({ services, scope, params }) => {
  const body = await services.storage.read((queries) => findEventBody(queries, scope.workspaceId, params.eventId));
  return JSON.parse(found(body, 'event', params.eventId)) as Event;
};

export const listEventTypes: Handler<'listEventTypes' | 'listEventTypesByShortPath'> = async (request) =>
  await respondWithPage(
    { ...request, list: 'event-types' },
    request.services.catalog.list(),
    (item) => item.type,
    (item) => item,
  );
