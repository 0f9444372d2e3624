import type { Event, EventSubject } from '@svc/contract';
import { EventSchema } from '@svc/contract/schemas';
import { z } from 'zod';
import { envelopeOf, type NewEvent } from '../../domain/event.ts';
import { tracingEvents } from '../../runtime/tracing.ts';
import type { Queries } from '../../storage/port.ts';
import { acceptEvent } from '../../storage/statements/accept-event.ts';
import { findWorkspace } from '../../storage/statements/find-workspace.ts';
import { notFound, validation } from '../errors.ts';
import type { Services } from '../services.ts';
import { controlOperation } from './operation.ts';

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

const accepted = z.object({
  event: EventSchema,
  deliveries: z.array(z.object({ id: z.string(), endpointId: z.string(), status: z.string() })),
});

/**
 * Creates events as the service itself does. Each event is stored, matched and queued in one transaction, which may
 * include other events.
 */
const causeEvents = controlOperation({
  method: 'POST',
  path: '/_control/events',
  summary: 'Create an event, or several at once',
  body: eventsBody,
  status: 201,
  answer: z.union([accepted, z.object({ events: z.array(accepted) })]),
  refusals: {
    404: 'No such workspace.',
    503: 'Too many deliveries wait to be written, or the database is away; of several events the first may be stored.',
  },
  async handle({ services, body }) {
    const requests = 'events' in body ? body.events : [body];
    for (const request of requests) checkType(services, request);
    // Find all workspaces before the first event is stored.
    let workspaceIds = new Set(requests.map(({ workspaceId }) => workspaceId));
    const results = await services.intake.acceptEach(requests, async (slice, write) => {
      const accepted = await tracingEvents(
        slice.map((request) => newEvent(services, request)),
        (events) => write((queries) => acceptSlice(queries, services, events, workspaceIds)),
      );
      workspaceIds = new Set();
      services.wakeDelivery();
      const deliveryIds = accepted.flatMap(({ deliveries }) => deliveries.map(({ id }) => id));
      services.changes.mark({ events: accepted.length, deliveries: deliveryIds });
      return accepted;
    });
    return 'events' in body ? { events: results } : (results[0] as object);
  },
});

async function acceptSlice(
  queries: Queries,
  services: Services,
  events: readonly NewEvent[],
  workspaceIds: ReadonlySet<string>,
) {
  for (const id of workspaceIds) if (!(await findWorkspace(queries, id))) throw notFound('workspace', id);
  const results = [];
  for (const created of events) {
    const deliveries = await acceptEvent(queries, services.ids, created);
    results.push({
      event: JSON.parse(envelopeOf(created)) as Event,
      deliveries: deliveries.map(({ id, endpointId, status }) => ({ id, endpointId, status })),
    });
  }
  return results;
}

function checkType(services: Services, { type }: EventRequest): void {
  if (services.catalog.types().includes(type)) return;
  throw validation(`The type "${type}" is not in the event catalog: ${services.catalog.types().join(', ')}.`);
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

/** The call that creates events. */
export const eventOperations = [causeEvents];
