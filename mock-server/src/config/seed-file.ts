import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
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
