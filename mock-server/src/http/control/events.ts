import type { Event, EventSubject } from '@svc/contract';
import type { NewEventInput, TriggeredEvent } from '@svc/contract/control/resources';
import { envelopeOf, type NewEvent } from '../../domain/event-envelope.ts';
import { defaultSubject, subjectProblem } from '../../domain/event-subject.ts';
import { tracingEvents } from '../../runtime/tracing.ts';
import type { Queries } from '../../storage/port.ts';
import { acceptEvent } from '../../storage/statements/deliveries/accept.ts';
import { validation } from '../errors.ts';
import type { Services } from '../services.ts';
import { existingWorkspace } from './existing.ts';
import type { ControlHandlers } from './operation.ts';

/**
 * One transaction stores an event, matches it with endpoints and queues its deliveries. A transaction may include
 * several events.
 */
export const eventHandlers = {
  async createEvent({ services, body }) {
    const requests = 'events' in body ? body.events : [body];
    for (const [index, request] of requests.entries()) {
      checkType(services, request);
      checkSubject(request, 'events' in body ? `events.${index}.subject` : 'subject');
    }
    // Look up all workspaces before the first event is stored, so that the whole call fails if a workspace is unknown.
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
    return 'events' in body ? { events: results } : (results[0] as TriggeredEvent);
  },
} satisfies Partial<ControlHandlers>;

async function acceptSlice(
  queries: Queries,
  services: Services,
  events: readonly NewEvent[],
  workspaceIds: ReadonlySet<string>,
) {
  for (const id of workspaceIds) await existingWorkspace(queries, id);
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

function checkType(services: Services, { type }: NewEventInput): void {
  if (services.catalog.types().includes(type)) return;
  throw validation(
    `The type "${type}" is not in the event catalog. The catalog contains: ${services.catalog.types().join(', ')}.`,
  );
}

function checkSubject({ type, subject }: NewEventInput, path: string): void {
  const problem = subjectProblem(type, subject, writeSubject);
  if (problem !== undefined) throw validation(`Invalid body: "${path}" ${problem}.`);
}

const writeSubject = ({ id, type, url }: EventSubject) => `{ "id": "${id}", "type": "${type}", "url": "${url}" }`;

function newEvent({ ids, clock }: Services, { workspaceId, type, subject }: NewEventInput): NewEvent {
  return {
    id: ids.next('event'),
    workspaceId,
    type,
    createdAt: clock.now(),
    subject: (subject as EventSubject | undefined) ?? defaultSubject(type, workspaceId),
  };
}
