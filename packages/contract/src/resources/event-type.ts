/**
 * An item of the event catalog.
 *
 * {@includeCode ../../../client/test/documented/shapes.ts#event-type}
 */
export interface EventTypeItem {
  /** The event type. */
  type: string;
  /** The name of the group under which people see the event type. */
  category: string;
  /** A sentence that says when the event happens. */
  description: string;
}
