import type { EventSubject } from '@svc/contract';
import type { Instant } from './instant.ts';

/** An event before it is stored. */
export interface NewEvent {
  id: string;
  workspaceId: string;
  type: string;
  createdAt: Instant;
  /** Absent for `webhook.ping`. */
  subject?: EventSubject | undefined;
  /** The trace context of the span that accepts it (W3C Trace Context). Undefined without tracing. */
  traceparent?: string | undefined;
}

/** The envelope, byte for byte as it is POSTed and read back (service document, "Delivery format"). */
export function envelopeOf(event: NewEvent): string {
  return JSON.stringify({
    id: event.id,
    type: event.type,
    created: new Date(event.createdAt).toISOString(),
    ...(event.subject && { subject: event.subject }),
  });
}
