import type { Event, EventSubject } from '@svc/contract';
import type { NewEventInput, TriggeredEvent } from '@svc/contract/control/resources';
import { envelopeOf, type NewEvent } from '../../domain/event-envelope.ts';
import { defaultSubject, subjectProblem } from '../../domain/event-subject.ts';
import { tracingEvents } from '../../runtime/tracing.ts';
import { acceptEvents } from '../../storage/delivery/accept.ts';
import type { Queries } from '../../storage/port.ts';
import { validation } from '../errors.ts';
import type { RequestServices, Services } from '../services.ts';
import { existingWorkspace } from './existing.ts';
import type { ControlHandlers } from './operation.ts';

export const eventHandlers = {
  async createEvent({ services, body }) {
    if (!('events' in body)) return await createOne(services, body);
    const requests = body.events;
    for (const [index, request] of requests.entries()) check(services, request, `events.${index}.subject`);
    const workspaceIds = new Set(requests.map(({ workspaceId }) => workspaceId));
    await services.storage.read(async (queries) => {
      for (const id of workspaceIds) await existingWorkspace(queries, id);
    });
    const results = await services.intake.acceptEach(requests, async (slice) => {
      const accepted = await tracingEvents(
        slice.map((request) => newEvent(services, request)),
        (events) => services.storage.write((queries) => acceptSlice(queries, services, events)),
      );
      announce(services, accepted);
      return accepted;
    });
    return { events: results };
  },
} satisfies Partial<ControlHandlers>;

async function createOne(services: RequestServices, request: NewEventInput): Promise<TriggeredEvent> {
  check(services, request, 'subject');
  const event = newEvent(services, request);
  return await tracingEvents([event], ([marked = event]) =>
    services.intake.acceptGrouped(marked, async (events) => {
      const accepted = await services.storage.write(async (queries) => {
        await existingWorkspace(queries, event.workspaceId);
        return await acceptSlice(queries, services, events);
      });
      announce(services, accepted);
      return accepted;
    }),
  );
}

function announce({ wakeDelivery, changes }: Services, accepted: readonly TriggeredEvent[]): void {
  wakeDelivery();
  const deliveryIds = accepted.flatMap(({ deliveries }) => deliveries.map(({ id }) => id));
  changes.mark({ events: accepted.length, deliveries: deliveryIds });
}

async function acceptSlice(queries: Queries, services: Services, events: readonly NewEvent[]) {
  const accepted = await acceptEvents(queries, services, events);
  return events.map((event, index) => ({
    event: JSON.parse(envelopeOf(event)) as Event,
    deliveries: (accepted[index] ?? []).map(({ id, endpointId, status }) => ({ id, endpointId, status })),
  }));
}

function check({ catalog }: Pick<Services, 'catalog'>, { type, subject }: NewEventInput, subjectPath: string): void {
  const types = catalog.types();
  if (!types.includes(type)) {
    throw validation(`The type "${type}" is not in the event catalog. The catalog contains: ${types.join(', ')}.`);
  }
  const problem = subjectProblem(type, subject, writeSubject);
  if (problem !== undefined) throw validation(`Invalid body: "${subjectPath}" ${problem}.`);
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
