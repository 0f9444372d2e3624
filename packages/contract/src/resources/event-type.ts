/**
 * An item of the event catalog (service document, "Event type catalog item").
 *
 * {@includeCode ../../../client/test/documented/shapes.ts#event-type}
 */
export interface EventTypeItem {
  type: string;
  category: string;
  description: string;
}
