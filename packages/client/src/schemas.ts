import { operations } from '@svc/contract';
import { responseSchemas, resourceSchemas as wireSchemas } from '@svc/contract/schemas';
import type { ResponseSchemas } from './validation.ts';

/**
 * The zod schema of every resource, keyed by type name. Use these schemas to check data from a store, a queue or a
 * test.
 *
 * {@includeCode ../test/documented/extending.ts#schemas}
 */
export const resourceSchemas = wireSchemas;

/**
 * The schema of every operation's response, for the `validate` option. The schemas accept unknown fields and unknown
 * enum members.
 *
 * {@includeCode ../test/documented/extending.ts#validate}
 */
export const schemas: ResponseSchemas = Object.fromEntries(
  Object.values(operations).map(({ method, path, response }) => [`${method} ${path}`, responseSchemas[response]]),
);
