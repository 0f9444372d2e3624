import type { ReceiverRules } from '../domain/endpoint-url.ts';
import { schemaProblem } from '../domain/schema-problem.ts';
import { seedProblem } from '../storage/seed/check.ts';
import { type Seed, seedSchema } from '../storage/seed/schema.ts';
import { ConfigError } from './config.ts';
import { sourceOf } from './seed-file.ts';

/** Fills in the defaults. Throws {@link ConfigError} with the path of the first mistake, and with its line if known. */
export function parseSeed(value: unknown, rules: ReceiverRules): Seed {
  const result = seedSchema.safeParse(value ?? {});
  if (!result.success) {
    const { path, problem, unknownField } = schemaProblem(result.error, value);
    throw invalid(value, path, `${path ? `"${path}"` : 'it'} ${problem}`, unknownField);
  }
  const wrong = seedProblem(result.data, rules);
  if (wrong) throw invalid(value, wrong.path, `"${wrong.path}": ${wrong.problem}`);
  return result.data;
}

function invalid(value: unknown, path: string, problem: string, unknownField?: string): ConfigError {
  const source = sourceOf(value);
  const where = source ? ` (${source.file}, line ${source.lineOf(pathIn(value, path), unknownField)})` : '';
  return new ConfigError(`The seed is not valid${where}: ${problem}.`);
}

/** Splits a path at dots. Prefers the longest name that exists, because names such as emails may contain dots. */
function pathIn(value: unknown, path: string): PropertyKey[] {
  if (path === '') return [];
  const names = path.split('.');
  for (let length = names.length; length > 0; length--) {
    const name = names.slice(0, length).join('.');
    const inner = Object(value)[name];
    if (inner === undefined) continue;
    const key = Array.isArray(value) ? Number(name) : name;
    return [key, ...pathIn(inner, names.slice(length).join('.'))];
  }
  return [];
}
