import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { ConfigError } from './config.ts';

type Yaml = typeof import('yaml');

/** The positions of a seed's parts in its file. */
export interface SeedSource {
  file: string;
  /** The line of the innermost part of a path that is in the file. Starts at 1. */
  lineOf(path: readonly PropertyKey[]): number;
  /** The line of a field's name. Starts at 1. */
  lineOfField(path: readonly PropertyKey[], field: string): number;
}

const sources = new WeakMap<object, SeedSource>();

/** The file that a seed was read from, if any. */
export const sourceOf = (seed: unknown): SeedSource | undefined =>
  typeof seed === 'object' && seed !== null ? sources.get(seed) : undefined;

/** Reads a seed file in JSON or YAML (all JSON is YAML). @throws {@link ConfigError} with the line of the mistake. */
export function readSeedFile(file: string): unknown {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    throw new ConfigError(`Cannot read the seed file ${file}: ${(cause as Error).message}`, { cause });
  }
  // Loaded only if there is a seed file. Most servers start without one.
  const { isMap, LineCounter, parseDocument } = createRequire(import.meta.url)('yaml') as Yaml;
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter });
  const [error] = document.errors;
  if (error) {
    // Only the first line is the message. The other lines show the place in the file.
    const [problem = ''] = error.message.split('\n');
    throw new ConfigError(`The seed file ${file} is neither JSON nor YAML: ${problem.replace(/:$/, '')}`, {
      cause: error,
    });
  }
  const seed: unknown = document.toJS();
  if (seed == null) throw new ConfigError(`The seed file ${file} is empty: write {} for a database without tenants.`);
  if (typeof seed === 'object') {
    sources.set(seed, {
      file,
      lineOf: (path) => lineOf(document, lineCounter, path),
      lineOfField(path, field) {
        const outer = document.getIn(path, true);
        const pair = isMap(outer) ? outer.items.find(({ key }) => String(key) === field) : undefined;
        const range = (pair?.key as { range?: [number, number, number] } | undefined)?.range;
        return range ? lineCounter.linePos(range[0]).line : lineOf(document, lineCounter, path);
      },
    });
  }
  return seed;
}

function lineOf(
  document: ReturnType<Yaml['parseDocument']>,
  lineCounter: InstanceType<Yaml['LineCounter']>,
  path: readonly PropertyKey[],
): number {
  for (let length = path.length; length >= 0; length--) {
    const node = document.getIn(path.slice(0, length), true) as { range?: [number, number, number] } | undefined;
    if (node?.range) return lineCounter.linePos(node.range[0]).line;
  }
  return 1;
}
