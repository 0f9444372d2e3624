import type { EventSubject } from '@svc/contract';
import type { Instant } from '../runtime/clock.ts';

/** An event before it is stored. */
export interface NewEvent {
  id: string;
  workspaceId: string;
  type: string;
  createdAt: Instant;
  /** Absent for `webhook.ping`. */
  subject?: EventSubject | undefined;
  /** Of the span that accepts it (W3C Trace Context), where somebody traces. */
  traceparent?: string | undefined;
}

/** The envelope, to the byte, as it is POSTed and read back (service document, "Delivery format"). */
export function envelopeOf(event: NewEvent): string {
  return JSON.stringify({
    id: event.id,
    type: event.type,
    created: new Date(event.createdAt).toISOString(),
    ...(event.subject && { subject: event.subject }),
  });
}
