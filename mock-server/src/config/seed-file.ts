import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { ReceiverRules } from '../domain/endpoint-url.ts';
import { schemaProblem } from '../domain/schema-problem.ts';
import { seedProblem } from '../storage/seed/check.ts';
import { type Seed, seedSchema } from '../storage/seed/schema.ts';
import { ConfigError } from './config.ts';

/** Reads a seed file, JSON or YAML (every JSON text is YAML). @throws {@link ConfigError} */
export function readSeedFile(file: string): unknown {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    throw new ConfigError(`Cannot read the seed file ${file}: ${(cause as Error).message}`, { cause });
  }
  // Not before there is a file: most servers start without.
  const { parse } = createRequire(import.meta.url)('yaml') as typeof import('yaml');
  let seed: unknown;
  try {
    seed = parse(text);
  } catch (cause) {
    // The lines below the first show the place in the text.
    const [problem = ''] = (cause as Error).message.split('\n');
    throw new ConfigError(`The seed file ${file} is neither JSON nor YAML: ${problem.replace(/:$/, '')}`, { cause });
  }
  if (seed === null) throw new ConfigError(`The seed file ${file} is empty: write {} for a database without tenants.`);
  return seed;
}

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
