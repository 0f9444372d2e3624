/**
 * An item of the event catalog.
 *
 * {@includeCode ../../../client/test/documented/shapes.ts#event-type}
 */
export interface EventTypeItem {
  /** The event type. */
  type: string;
  /** The group of the event type, for people. */
  category: string;
  /** When the event happens. */
  description: string;
}
