import type { EventSubject } from '@svc/contract';
import type { Instant } from './instant.ts';

export interface NewEvent {
  id: string;
  workspaceId: string;
  type: string;
  createdAt: Instant;
  /** Absent for `webhook.ping`. */
  subject?: EventSubject | undefined;
  /** The trace context of the span that accepts the event (W3C Trace Context). */
  traceparent?: string | undefined;
}

/** Returns the exact body of an event's deliveries and of the API's response (service document, "Delivery format"). */
export function envelopeOf(event: NewEvent): string {
  return JSON.stringify({
    id: event.id,
    type: event.type,
    created: new Date(event.createdAt).toISOString(),
    ...(event.subject && { subject: event.subject }),
  });
}
