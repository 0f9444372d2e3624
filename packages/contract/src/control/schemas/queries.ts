import * as z from 'zod';
import { SEARCH_QUERY_LENGTH } from '../../limits.ts';
import { DELIVERY_STATUSES } from '../../resources/webhook-delivery.ts';
import type { Complete } from '../../schemas/complete.ts';
import { querySchemas } from '../../schemas/queries.ts';
import type { ControlOperationName, ControlQueryOf } from '../operation-types.ts';
import { LIFECYCLE_STATES, REQUEST_METHODS } from '../values.ts';

const { ListQuery } = querySchemas;
const MILLISECONDS = 'must be a number of milliseconds, at most 600000';

const flag = z
  .enum(['true', 'false'])
  .transform((value) => value === 'true')
  .meta({ type: 'boolean', enum: undefined })
  .optional();

/**
 * The schemas of the control API's queries. The values in a query arrive as strings. The schemas drop unknown
 * parameters, but the server rejects a query with unknown parameters.
 */
export const controlQueries = {
  wait: z.object({
    deliveryId: z.string().optional(),
    eventId: z.string().optional(),
    endpointId: z.string().optional(),
    status: z.enum(DELIVERY_STATUSES).optional(),
    timeoutMs: z
      .preprocess(
        (value) => (typeof value === 'string' && /^\d{1,6}$/.test(value) ? Number(value) : value),
        z.int(MILLISECONDS).min(0, MILLISECONDS).max(600_000),
      )
      .default(30_000),
  }),
  listOrganizations: ListQuery,
  listUsers: ListQuery.extend({ q: z.string().min(1).max(254).optional() }),
  listMembers: ListQuery,
  listCredentials: ListQuery.extend({ workspaceId: z.string().optional(), userId: z.string().optional() }),
  listProfiles: ListQuery.extend({
    state: z.enum(LIFECYCLE_STATES).optional(),
    q: z.string().min(SEARCH_QUERY_LENGTH.min).max(SEARCH_QUERY_LENGTH.max).optional(),
  }),
  listEvaluations: ListQuery,
  listEndpoints: ListQuery.extend({ workspaceId: z.string() }),
  listNotifications: ListQuery.extend({ userId: z.string().optional() }),
  listRequests: ListQuery.extend({
    method: z.enum(REQUEST_METHODS).optional(),
    status: z
      .string()
      .regex(/^(?:[1-5]\d\d|[1-5]xx)$/, 'must be a status such as 404, or a class such as 4xx')
      .optional(),
    path: z.string().max(200).optional(),
    workspaceId: z.string().optional(),
    credentialId: z.string().optional(),
    ignored: flag,
  }),
  find: z.object({ id: z.string().min(1).max(100) }),
  exportData: z.object({ stable: flag }),
} satisfies {
  [Name in ControlOperationName as ControlQueryOf<Name> extends undefined ? never : Name]: Complete<
    ControlQueryOf<Name>
  >;
};
