import type { ReceiverRules } from '../domain/endpoint-url.ts';
import { schemaProblem } from '../domain/schema-problem.ts';
import { seedProblem } from '../storage/seed/check.ts';
import { type Seed, seedSchema } from '../storage/seed/schema.ts';
import { ConfigError } from './config.ts';

/**
 * Checks a seed, field by field and as a whole.
 *
 * @throws {@link ConfigError} that names the first thing that is wrong.
 */
export function parseSeed(value: unknown, rules: ReceiverRules): Seed {
  const result = seedSchema.safeParse(value ?? {});
  if (!result.success) {
    const { path, problem } = schemaProblem(result.error, value);
    throw new ConfigError(`The seed is not valid: ${path ? `"${path}"` : 'it'} ${problem}.`);
  }
  const problem = seedProblem(result.data, rules);
  if (problem) throw new ConfigError(`The seed is not valid: ${problem}.`);
  return result.data;
}
