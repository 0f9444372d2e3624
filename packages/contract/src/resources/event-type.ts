/**
 * An item of the event catalog.
 *
 * {@includeCode ../../../client/test/documented/shapes.ts#event-type}
 */
export interface EventTypeItem {
  /** The event type. */
  type: string;
  /** The group of event types in which a page shows the type. */
  category: string;
  /** A sentence that says when the event happens. */
  description: string;
}
