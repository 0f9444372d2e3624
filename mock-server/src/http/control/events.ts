import type { Event, EventSubject } from '@svc/contract';
import type { Hono } from 'hono';
import { z } from 'zod';
import { envelopeOf, type NewEvent } from '../../domain/event.ts';
import { acceptEvent } from '../../storage/statements/accept-event.ts';
import { findWorkspace } from '../../storage/statements/find-workspace.ts';
import { notFound, validation } from '../errors.ts';
import type { Services } from '../services.ts';
import { readControlBody } from './json.ts';

const event = z.strictObject({
  workspaceId: z.string(),
  type: z.string(),
  subject: z.strictObject({ id: z.string().min(1), type: z.string().min(1), url: z.string().min(1) }).optional(),
});
type EventRequest = z.output<typeof event>;

const eventsBody = z.union(
  [event, z.strictObject({ events: z.array(event).min(1).max(10_000) })],
  'must be { "workspaceId", "type", "subject"? }, or { "events": [ … ] } with 1 to 10,000 of them',
);

/** Causes events as the service itself does: stored, matched and enqueued in one transaction, all of them or none. */
export function registerEvents(app: Hono, services: Services): void {
  app.post('/_control/events', async (c) => {
    const body = await readControlBody(c, eventsBody);
    const requests = 'events' in body ? body.events : [body];
    for (const request of requests) checkType(services, request);
    const accepted = await services.storage.write(async (queries) => {
      for (const id of new Set(requests.map((request) => request.workspaceId))) {
        if (!(await findWorkspace(queries, id))) throw notFound('workspace', id);
      }
      const results = [];
      for (const request of requests) {
        const created = newEvent(services, request);
        const deliveries = await acceptEvent(queries, services.ids, created);
        results.push({
          event: JSON.parse(envelopeOf(created)) as Event,
          deliveries: deliveries.map(({ id, endpointId, status }) => ({ id, endpointId, status })),
        });
      }
      return results;
    });
    services.wakeDelivery();
    return c.json('events' in body ? { events: accepted } : (accepted[0] as object), 201);
  });
}

function checkType(services: Services, { type }: EventRequest): void {
  if (services.catalog.types().includes(type)) return;
  throw validation(`"${type}" is not in the event catalog: ${services.catalog.types().join(', ')}.`);
}

function newEvent({ ids, clock }: Services, { workspaceId, type, subject }: EventRequest): NewEvent {
  return {
    id: ids.next('event'),
    workspaceId,
    type,
    createdAt: clock.now(),
    subject: (subject as EventSubject | undefined) ?? defaultSubject(workspaceId, type),
  };
}

function defaultSubject(workspaceId: string, type: string): EventSubject | undefined {
  if (type !== 'lifecycle.evaluated') return undefined;
  return { id: workspaceId, type: 'workspace', url: `/v1/workspaces/${workspaceId}` };
}
