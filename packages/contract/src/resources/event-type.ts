/**
 * An item of the event catalog.
 *
 * {@includeCode ../../../client/test/documented/shapes.ts#event-type}
 */
export interface EventTypeItem {
  /** The event type. */
  type: string;
  /** The group of event types that the type belongs to. */
  category: string;
  /** A sentence that says when the event happens. */
  description: string;
}
