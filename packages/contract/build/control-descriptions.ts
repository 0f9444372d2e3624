import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { controlResources } from '../src/control/schemas/resources.ts';
import { resourceSchemas } from '../src/schemas/resources.ts';
import { type Documented, readDocstrings } from './docstrings.ts';

const sources = join(import.meta.dirname, '../src');
const TARGET = join(sources, 'openapi/control/descriptions.json');

/** What the OpenAPI document of the control API says about each resource, and about the input and output of each call. */
export interface ControlDescriptions {
  resources: Record<string, Documented>;
  /** The fields of `ControlTypes`, such as `settle.body.timeoutMs`. */
  operations: Record<string, string>;
}

/** Reads the descriptions from the docstrings of the types. */
export function readControlDescriptions(): ControlDescriptions {
  const files = globSync(['control/resources/*.ts', 'control/operation-types.ts', 'resources/{event,list}.ts'], {
    cwd: sources,
  }).sort();
  const separate = new Set([...Object.keys(controlResources), ...Object.keys(resourceSchemas)]);
  const read = readDocstrings(
    files.map((path) => readFileSync(join(sources, path), 'utf8')),
    separate,
  );
  const said = Object.entries(read('ControlTypes').fields).filter(([, text]) => text !== '');
  return {
    resources: Object.fromEntries(Object.keys(controlResources).map((name) => [name, read(name)])),
    operations: Object.fromEntries(said),
  };
}

if (import.meta.main) writeFileSync(TARGET, `${JSON.stringify(readControlDescriptions(), null, 2)}\n`);
