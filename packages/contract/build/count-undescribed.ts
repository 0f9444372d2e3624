import { createControlDocument, createOpenApiDocument } from '../src/openapi.ts';
import { operations } from '../src/operations.ts';

/**
 * The parts of an OpenAPI document that have no description, and the parts that have no sample. Each entry is the path
 * of a property, parameter, header, response or operation in the document, with slashes between the keys.
 */
export interface Lacking {
  undescribed: string[];
  unexampled: string[];
}

interface Described {
  description?: string;
  example?: unknown;
  examples?: unknown[] | Record<string, { value: unknown }>;
  $ref?: string;
  items?: { $ref?: string };
  properties?: object;
  content?: object;
}

/** The keys of the objects and arrays in which every entry needs a description. */
const COLLECTIONS = ['properties', 'parameters', 'headers', 'responses', 'schemas'];

/** The keys whose values are samples. The search skips samples, because they contain no schemas. */
const SAMPLES = ['example', 'examples', 'x-codeSamples', 'default'];

/**
 * The paths of the lists that always have one page. In these lists, `nextPageUrl` and `previousPageUrl` are always
 * null, so these two fields need no sample.
 */
const SINGLE_PAGE = [
  '/_control/endpoints',
  ...Object.values(operations).flatMap(({ list, path }) => (list === 'single-page' ? [path] : [])),
];

/** Finds every part of a document that has no description, or whose samples are all null or empty. */
export function findLacking(document: object): Lacking {
  const found: Lacking = { undescribed: [], unexampled: [] };
  look(document, [], found);
  return found;
}

function look(value: unknown, place: readonly string[], found: Lacking): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    if (SAMPLES.includes(key) && !isDescribed(place)) continue;
    const at = [...place, key];
    if (isDescribed(place)) check(inner as Described, at, found);
    if (isOperationOrBody(at) && !isSaid(inner as Described)) found.undescribed.push(at.join('/'));
    look(inner, at, found);
  }
}

/**
 * Whether every entry of an object or array needs a description: true if the key of the object or array is in
 * `COLLECTIONS`. The result is false if the key is the name of a property, for example of a property called `headers`.
 */
const isDescribed = (place: readonly string[]): boolean =>
  COLLECTIONS.includes(place.at(-1) ?? '') && !isDescribed(place.slice(0, -1));

/**
 * Whether a path in the document, such as `paths//v1/me/get`, leads to an operation or to the request body of an
 * operation.
 */
const isOperationOrBody = ([section = '', ...rest]: readonly string[]) =>
  ['paths', 'webhooks'].includes(section) && (rest.length === 2 || (rest.length === 3 && rest[2] === 'requestBody'));

const isSaid = ({ description }: Described) => Boolean(description?.trim()) && !description?.includes('undefined');

function check(part: Described, place: readonly string[], found: Lacking): void {
  if (part.$ref && place.at(-2) !== 'properties') return;
  const name = place.join('/');
  if (!isSaid(part)) found.undescribed.push(name);
  const isResponse = place.at(-2) === 'responses';
  const hasOwnSamples = part.$ref ?? part.items?.$ref ?? isResponse;
  if (!hasOwnSamples && !samplesOf(part).some(saysSomething) && !isAlwaysNull(place)) found.unexampled.push(name);
}

const samplesOf = ({ example, examples }: Described): unknown[] =>
  Array.isArray(examples) ? examples : example === undefined ? [] : [example];

const saysSomething = (value: unknown): boolean =>
  typeof value === 'object' ? value !== null && Object.keys(value).length > 0 : value !== undefined && value !== '';

const isAlwaysNull = (place: readonly string[]) =>
  ['nextPageUrl', 'previousPageUrl'].includes(place.at(-1) ?? '') && SINGLE_PAGE.some((path) => place.includes(path));

if (import.meta.main) {
  const SERVER = 'https://api.service.test';
  const documents = { openapi: createOpenApiDocument(SERVER), 'control-openapi': createControlDocument(SERVER) };
  for (const [name, document] of Object.entries(documents)) {
    const { undescribed, unexampled } = findLacking(document);
    console.log(`${name}: ${undescribed.length} without a description, ${unexampled.length} without an example`);
    for (const place of new Set([...undescribed, ...unexampled])) console.error(`  ${place}`);
    if (undescribed.length + unexampled.length > 0) process.exitCode = 1;
  }
}
