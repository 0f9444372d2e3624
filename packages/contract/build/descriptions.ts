import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { controlResources } from '../src/control/schemas/resources.ts';
import { subjectSchemas } from '../src/openapi/subjects.ts';
import { resourceSchemas } from '../src/schemas/resources.ts';
import { type Documented, readDocstrings } from './docstrings.ts';

const sources = join(import.meta.dirname, '../src');
const PUBLIC_TARGET = join(sources, 'openapi/descriptions.json');
const CONTROL_TARGET = join(sources, 'openapi/control/descriptions.json');

const { JsonValue: _any, ...resources } = resourceSchemas;

/** The names of the types that describe the API's resources, their parts, and the error body. */
const PUBLIC_TYPES = [...Object.keys({ ...resources, ...subjectSchemas }), 'DeliverySubject', 'ErrorBody'];

/** The descriptions in the OpenAPI document of the API. */
export interface Descriptions {
  types: Record<string, Documented>;
  /**
   * The descriptions of the queries, bodies and responses of all operations, and of their fields. The names of fields
   * are paths, such as `PingResponse.ping.deliveryId`.
   */
  operations: Record<string, string>;
}

/** The descriptions in the OpenAPI document of the control API. */
export interface ControlDescriptions {
  resources: Record<string, Documented>;
  /** The descriptions of the fields of `ControlTypes`, such as `settle.body.timeoutMs`. */
  operations: Record<string, string>;
}

function readerOf(patterns: string[], separate: readonly string[]): (name: string) => Documented {
  const files = globSync(patterns, { cwd: sources }).sort();
  const codes = files.map((path) => readFileSync(join(sources, path), 'utf8'));
  return readDocstrings(codes, new Set(separate));
}

const withText = (fields: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(fields).filter(([, text]) => text !== ''));

/** Reads the descriptions of the API from the docstrings of its types. */
export function readDescriptions(): Descriptions {
  const read = readerOf(['resources/*.ts', 'errors.ts', 'operation-types.ts'], PUBLIC_TYPES);
  const operations = ['Queries', 'Bodies', 'Responses'].map((name) => withText(read(name).fields));
  return {
    types: Object.fromEntries(PUBLIC_TYPES.map((name) => [name, read(name)])),
    operations: Object.assign({}, ...operations),
  };
}

/** Reads the descriptions of the control API from the docstrings of its types. */
export function readControlDescriptions(): ControlDescriptions {
  const read = readerOf(
    ['control/resources/*.ts', 'control/operation-types.ts', 'resources/{event,list}.ts'],
    [...Object.keys(controlResources), ...Object.keys(resourceSchemas)],
  );
  return {
    resources: Object.fromEntries(Object.keys(controlResources).map((name) => [name, read(name)])),
    operations: withText(read('ControlTypes').fields),
  };
}

if (import.meta.main) {
  for (const [path, read] of [
    [PUBLIC_TARGET, readDescriptions()],
    [CONTROL_TARGET, readControlDescriptions()],
  ] as const) {
    writeFileSync(path, `${JSON.stringify(read, null, 2)}\n`);
  }
}
