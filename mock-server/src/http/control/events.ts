import type { Event, EventSubject } from '@svc/contract';
import { EventSchema } from '@svc/contract/schemas';
import { z } from 'zod';
import { envelopeOf, type NewEvent } from '../../domain/event.ts';
import { defaultSubject, subjectProblem } from '../../domain/event-subject.ts';
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
  summary: 'Trigger one event or several',
  description:
    'An event of a published type has the subject that its type promises. `lifecycle.evaluated` is about a workspace. ' +
    'Default: `workspaceId`. `webhook.endpoint.auto_disabled` needs an endpoint: ' +
    '`{ "id": "whe_…", "type": "webhook_endpoint", "url": "/v1/webhooks/endpoints/whe_…" }`. ' +
    '`webhook.ping` has no subject. Types that a seed adds take any subject, or none.',
  body: eventsBody,
  status: 201,
  answer: z.union([accepted, z.object({ events: z.array(accepted) })]),
  refusals: {
    404: 'No such workspace.',
    503: 'Too many deliveries are waiting to be written, or the database is away. The first of several events may be stored.',
  },
  async handle({ services, body }) {
    const requests = 'events' in body ? body.events : [body];
    for (const [index, request] of requests.entries()) {
      checkType(services, request);
      checkSubject(request, 'events' in body ? `events.${index}.subject` : 'subject');
    }
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

function checkSubject({ type, subject }: EventRequest, path: string): void {
  const problem = subjectProblem(type, subject, writeSubject);
  if (problem !== undefined) throw validation(`Invalid body: "${path}" ${problem}.`);
}

const writeSubject = ({ id, type, url }: EventSubject) => `{ "id": "${id}", "type": "${type}", "url": "${url}" }`;

function newEvent({ ids, clock }: Services, { workspaceId, type, subject }: EventRequest): NewEvent {
  return {
    id: ids.next('event'),
    workspaceId,
    type,
    createdAt: clock.now(),
    subject: (subject as EventSubject | undefined) ?? defaultSubject(type, workspaceId),
  };
}

/** The call that creates events. */
export const eventOperations = [causeEvents];
