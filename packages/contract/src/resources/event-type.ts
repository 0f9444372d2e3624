/**
 * An item of the event catalog.
 *
 * {@includeCode ../../../client/test/documented/shapes.ts#event-type}
 */
export interface EventTypeItem {
  /** The event type. */
  type: string;
  /** The group of the event type, as it is shown to people. */
  category: string;
  /** A sentence that says when the event happens. */
  description: string;
}
