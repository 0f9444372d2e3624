import type { ReceiverRules } from '../domain/endpoint-url.ts';
import { schemaProblem } from '../domain/schema-problem.ts';
import { seedProblems } from '../storage/seed/check.ts';
import { type Seed, seedSchema } from '../storage/seed/schema.ts';
import { ConfigError } from './config.ts';
import { sourceOf } from './seed-file.ts';

/** Fills in the defaults. Throws {@link ConfigError} with the path of the first mistake, and with its line if known. */
export function parseSeed(value: unknown, rules: ReceiverRules): Seed {
  const result = seedSchema.safeParse(value ?? {});
  if (!result.success) {
    const { path, keys, problem, unknownField } = schemaProblem(result.error, value);
    throw invalid(value, keys, `${path ? `"${path}"` : 'it'} ${problem}`, unknownField);
  }
  const [wrong] = seedProblems(result.data, rules);
  if (wrong) throw invalid(value, wrong.path, `"${wrong.path.join('.')}": ${wrong.problem}`);
  return result.data;
}

function invalid(value: unknown, path: readonly PropertyKey[], problem: string, unknownField?: string): ConfigError {
  const source = sourceOf(value);
  const where = source ? ` (${source.file}, line ${source.lineOf(path, unknownField)})` : '';
  return new ConfigError(`The seed is not valid${where}: ${problem}.`);
}
