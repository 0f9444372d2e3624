import { PAGE_LIMIT } from '@svc/contract';
import { z } from 'zod';
import type { ListRequest } from '../list.ts';
import type { Services } from '../services.ts';

/** The query parameters of every list. */
export const page = {
  limit: z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.int().min(PAGE_LIMIT.min).max(PAGE_LIMIT.max))
    .optional(),
  page: z.string().optional(),
};
/** The answer of a list. */
export const envelope = <Item extends z.ZodType>(item: Item) =>
  z.object({ data: z.array(item), nextPageUrl: z.string().nullable(), previousPageUrl: z.string().nullable() });

/** A list of the control API. Its path names the workspace that it belongs to, if any. */
export function listOf(
  services: Services,
  path: string,
  filters: Record<string, string>,
  { limit, page: token }: { limit?: number | undefined; page?: string | undefined },
): ListRequest {
  const query = { ...(limit !== undefined && { limit }), ...(token !== undefined && { page: token }) };
  return { services, path, scope: { workspaceId: '' }, filters, query };
}
