import { operations } from '@svc/contract';
import { answerSchemas, resourceSchemas as wireSchemas } from '@svc/contract/schemas';
import type { AnswerSchemas } from './validation.ts';

/**
 * The zod schema of every resource, by the name of its type, for data that comes by another way: a store, a queue, a test.
 *
 * {@includeCode ../test/documented/extending.ts#schemas}
 */
export const resourceSchemas = wireSchemas;

/**
 * The schema of every operation's answer, as `validate` takes them. Unknown fields and enum members pass.
 *
 * {@includeCode ../test/documented/extending.ts#validate}
 */
export const schemas: AnswerSchemas = Object.fromEntries(
  Object.values(operations).map(({ method, path, answer }) => [`${method} ${path}`, answerSchemas[answer]]),
);
