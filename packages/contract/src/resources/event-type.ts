/** An item of the event catalog (service document, "Event type catalog item"). */
export interface EventTypeItem {
  type: string;
  category: string;
  description: string;
}
