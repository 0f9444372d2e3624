import { isUtf8 } from 'node:buffer';
import { createRequire } from 'node:module';
import { ConfigError } from './config.ts';
import { readRegularBytes } from './own-file.ts';

interface SeedSource {
  file: string;
  /** Returns the line of `field` in the value at `path`, or of the closest parent that exists. The first line is 1. */
  lineOf(path: readonly PropertyKey[], field?: string): number;
}

const sources = new WeakMap<object, SeedSource>();

export const sourceOf = (seed: unknown): SeedSource | undefined =>
  typeof seed === 'object' && seed !== null ? sources.get(seed) : undefined;

/** Reads a seed file in JSON or YAML (all JSON is YAML). */
export function readSeedFile(file: string): unknown {
  let bytes: Buffer;
  try {
    bytes = readRegularBytes(file);
  } catch (cause) {
    throw new ConfigError(`Cannot read the seed file ${file}: ${(cause as Error).message}`, { cause });
  }
  // A lenient decoder would garble a file with another encoding, such as the UTF-16 of Windows PowerShell.
  if (!isUtf8(bytes)) throw new ConfigError(`The seed file ${file} is not UTF-8. Save the file as UTF-8.`);
  const text = bytes.toString('utf8');
  // Load the YAML parser only here, because most servers start without a seed file.
  const { isMap, LineCounter, parseDocument } = createRequire(import.meta.url)('yaml') as typeof import('yaml');
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter });
  let seed: unknown;
  try {
    const [error] = document.errors;
    if (error) throw error;
    // The parser throws if nested aliases would make the seed thousands of times as long as the file.
    seed = document.toJS();
  } catch (cause) {
    // Use only the first line of the message, because the other lines quote the seed file.
    const [problem = ''] = (cause as Error).message.split('\n');
    throw new ConfigError(`The seed file ${file} is neither JSON nor YAML: ${problem.replace(/:$/, '')}`, { cause });
  }
  if (seed == null) throw new ConfigError(`The seed file ${file} is empty. For a database without tenants, write {}.`);
  const lineAt = (node: unknown) => {
    const { range } = Object(node) as { range?: [number, number, number] };
    return range && lineCounter.linePos(range[0]).line;
  };
  if (typeof seed === 'object') {
    sources.set(seed, {
      file,
      lineOf(path, field) {
        const outer = document.getIn(path, true);
        const pair = isMap(outer) ? outer.items.find(({ key }) => String(key) === field) : undefined;
        let line = lineAt(pair?.key);
        for (let length = path.length; line === undefined && length >= 0; length--) {
          line = lineAt(document.getIn(path.slice(0, length), true));
        }
        return line ?? 1;
      },
    });
  }
  return seed;
}
