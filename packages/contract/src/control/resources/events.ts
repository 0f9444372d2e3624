import type { Event, EventSubject } from '../../resources/event.ts';

/** An event to create. */
export interface NewEventInput {
  /** The workspace in which it happens. */
  workspaceId: string;
  /** Type of the event, from the event catalog. */
  type: string;
  /**
   * What the event is about. For `lifecycle.evaluated` a workspace, by default its own. For
   * `webhook.endpoint.auto_disabled` an endpoint, which you must name. `webhook.ping` has no subject.
   */
  subject?: EventSubject | undefined;
}

/** Several events to create. */
export interface NewEventsInput {
  /** 1 to 10,000 events. */
  events: NewEventInput[];
}

/** A stored event, with a delivery for each endpoint that subscribes to it. */
export interface TriggeredEvent {
  /** The envelope as receivers get it. */
  event: Event;
  /** A delivery for each endpoint that subscribes to the type. */
  deliveries: {
    /** Id of the delivery. */
    id: string;
    /** The endpoint that receives it. */
    endpointId: string;
    /** The state of the delivery. */
    status: string;
  }[];
}

/** Several stored events. */
export interface TriggeredEvents {
  /** In the order of the request. */
  events: TriggeredEvent[];
}
