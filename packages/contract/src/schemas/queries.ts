import * as z from 'zod';
import { PAGE_LIMIT, SEARCH_QUERY_LENGTH } from '../limits.ts';
import type { Queries } from '../operation-types.ts';
import { SEARCH_TYPES } from '../resources/search-result.ts';
import { DELIVERY_STATUSES } from '../resources/webhook-delivery.ts';
import type { Complete } from './complete.ts';
import { instant, text } from './primitives.ts';

/**
 * An integer written only with digits. `+5`, `5.0`, ` 5` and an empty string are rejected, although `Number` accepts
 * them.
 */
const limit = z
  .preprocess(
    (value) => (typeof value === 'string' && /^[0-9]{1,9}$/.test(value) ? Number(value) : value),
    z.int(`must be an integer from ${PAGE_LIMIT.min} to ${PAGE_LIMIT.max}`).min(PAGE_LIMIT.min).max(PAGE_LIMIT.max),
  )
  .optional();

const ListQuery = z.object({ limit, page: z.string().optional() });

/**
 * The schemas of the query strings. An operation names its schema in the field `query`. Values arrive as strings.
 * Unknown parameters are dropped.
 */
export const querySchemas = {
  ListQuery,
  ListOrganizationsQuery: ListQuery.extend({ expand: z.string().optional() }),
  SearchListQuery: ListQuery.extend({
    q: text(SEARCH_QUERY_LENGTH.min, SEARCH_QUERY_LENGTH.max),
    type: z.enum(SEARCH_TYPES).optional(),
  }),
  ListWebhookDeliveriesPageQuery: ListQuery.extend({
    // Accept any string. For an id that no endpoint has, with or without the prefix `whe_`, the list is empty.
    endpointId: z.string().optional(),
    status: z.enum(DELIVERY_STATUSES).optional(),
    eventType: z.string().optional(),
    createdFrom: instant.optional(),
    createdTo: instant.optional(),
  }),
  ListEventsPageQuery: ListQuery.extend({
    type: z.string().optional(),
    subjectType: z.string().optional(),
    subjectId: z.string().optional(),
  }),
} satisfies { [Name in keyof Queries]: Complete<Queries[Name]> };
