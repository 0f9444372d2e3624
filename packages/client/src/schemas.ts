import { operations } from '@svc/contract';
import { answerSchemas, resourceSchemas } from '@svc/contract/schemas';
import type { AnswerSchemas } from './validation.ts';

export { resourceSchemas };

/**
 * The schema of every operation's answer, as `validate` takes them. Unknown fields and enum members pass.
 *
 * {@includeCode ../test/documented/extending.ts#validate}
 */
export const schemas: AnswerSchemas = Object.fromEntries(
  Object.values(operations).map(({ method, path, answer }) => [`${method} ${path}`, answerSchemas[answer]]),
);
