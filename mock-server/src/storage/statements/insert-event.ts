import { envelopeOf, type NewEvent } from '../../domain/event.ts';
import type { Queries } from '../port.ts';

export async function insertEvent(queries: Queries, event: NewEvent): Promise<void> {
  await queries
    .insertInto('events')
    .values({
      id: event.id,
      workspace_id: event.workspaceId,
      type: event.type,
      subject_type: event.subject?.type ?? null,
      subject_id: event.subject?.id ?? null,
      body: envelopeOf(event),
      created_at: event.createdAt,
      traceparent: event.traceparent ?? null,
    })
    .execute();
}
