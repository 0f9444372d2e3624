import type { Event, EventSubject } from '../../resources/event.ts';

/** An event to create. */
export interface NewEventInput {
  /** The workspace in which the event happens. */
  workspaceId: string;
  /** The type of the event, from the event catalog. */
  type: string;
  /**
   * The resource that the event is about. For `lifecycle.evaluated`, the subject is a workspace, by default the event's
   * workspace. For `webhook.endpoint.auto_disabled`, you must send an endpoint as the subject. `webhook.ping` has no
   * subject.
   */
  subject?: EventSubject | undefined;
}

/** Several events to create. */
export interface NewEventsInput {
  /** The events, from 1 to 10,000. */
  events: NewEventInput[];
}

/** A stored event, with a delivery for each endpoint that subscribes to the event's type. */
export interface TriggeredEvent {
  /** The event, in the form in which receivers get it. */
  event: Event;
  /** A delivery for each endpoint that subscribes to the type. */
  deliveries: {
    /** Id of the delivery. */
    id: string;
    /** The endpoint that receives the delivery. */
    endpointId: string;
    /** The state of the delivery. */
    status: string;
  }[];
}

/** Several stored events. */
export interface TriggeredEvents {
  /** The events, in the order of the request. */
  events: TriggeredEvent[];
}
