import * as z from 'zod';
import type { EventTypeItem } from '../resources/event-type.ts';

export const EventTypeItemSchema = z.object({
  type: z.string(),
  category: z.string(),
  description: z.string(),
}) satisfies z.ZodType<EventTypeItem>;
