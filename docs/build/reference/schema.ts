import { code, plain, sentences, table } from './markdown.ts';

/** The parts of a JSON Schema that the reference pages use. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  not?: Schema;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  default?: unknown;
  examples?: unknown[];
  format?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
}

/**
 * Whether a table lists the fields that a caller sends or the fields that the service returns. A table of sent fields
 * marks required fields, and a table of returned fields marks fields that can be missing.
 */
export type Direction = 'sent' | 'returned';

/**
 * If a string can also have unknown values, its type lists at most this many known values. If there are more known
 * values, the type names only one of them.
 */
const OPEN_VALUES_MAX = 6;

/** Returns the type in a few words, such as `string or null`. */
export function typeOf(schema: Schema): string {
  if (schema.$ref) {
    const name = String(schema.$ref.split('/').at(-1));
    return name === 'JsonValue' || name.startsWith('__') ? 'any JSON' : `[${name}](#${name.toLowerCase()})`;
  }
  if (schema.const !== undefined) return code(JSON.stringify(schema.const));
  if (schema.enum) return schema.enum.map((value) => code(JSON.stringify(value))).join(', ');
  const variants = schema.anyOf ?? schema.oneOf;
  const known = variants?.find((one) => one.enum)?.enum ?? [];
  if (known.length > OPEN_VALUES_MAX && variants?.some((one) => one.type === 'string' && !one.enum)) {
    return `string, such as ${code(JSON.stringify(known[0]))}`;
  }
  if (variants) return [...new Set(variants.map(typeOf))].join(' or ');
  if (schema.type === 'array') return `list of ${typesOf(schema.items ?? {})}`;
  if (Array.isArray(schema.type)) {
    return schema.type.map((type) => (type === 'null' ? type : typeOf({ ...schema, type }))).join(' or ');
  }
  if (schema.format === 'date-time') return 'timestamp';
  return schema.format?.startsWith('uri') ? 'URL' : (schema.type ?? 'any JSON');
}

/** Returns the type of a list's items in the plural, such as `strings`. */
const typesOf = (items: Schema): string =>
  items.$ref ? `${typeOf(items)} objects` : typeOf(items).replace(/^(?:string|number|integer|boolean|object)\b/, '$&s');

/**
 * Returns the bounds of a value, such as `1 to 100, default 20`. Leaves out a bound that every safe integer satisfies.
 */
function boundsOf(schema: Schema): string {
  const range = (min: number | undefined, max: number | undefined, unit: string) => {
    const least = min === undefined || min <= Number.MIN_SAFE_INTEGER ? undefined : min;
    if (max === undefined || max === Number.MAX_SAFE_INTEGER) return least ? `at least ${least}${unit}` : '';
    return least === undefined ? `at most ${max}${unit}` : `${least} to ${max}${unit}`;
  };
  const nested = (schema.anyOf ?? []).map(boundsOf);
  return [
    schema.minLength === 1 && schema.maxLength === undefined
      ? 'not empty'
      : range(schema.minLength, schema.maxLength, ' characters'),
    range(schema.minimum, schema.maximum, ''),
    range(schema.minItems, schema.maxItems, ' items'),
    schema.default === undefined ? '' : `default ${code(JSON.stringify(schema.default))}`,
    ...nested,
  ]
    .filter(Boolean)
    .join(', ');
}

export const formsOf = ({ anyOf, oneOf }: Schema): Schema[] => anyOf ?? oneOf ?? [];

/** Lists the forms of an object that can have several forms, such as `{ kind }` or `{ kind, location, schedule? }`. */
export function formsText(schema: Schema): string {
  const texts = formsOf(schema).flatMap(({ properties, required = [] }) => {
    if (!properties) return [];
    const names = Object.keys(properties).map((name) => (required.includes(name) ? name : `${name}?`));
    return [code(`{ ${names.join(', ')} }`)];
  });
  const different = [...new Set(texts)];
  return different.length < 2 ? '' : different.join(' or ');
}

/** A table of an object's fields. A nested field is listed by its path, such as `error.code`. */
export function fieldsTable(schema: Schema, direction: Direction): string {
  const rows = rowsOf([schema], '', direction);
  return rows.length === 0 ? '' : table(['field', 'type', 'notes'], rows);
}

/** Returns one row for each field that is in at least one of the schemas. */
function rowsOf(schemas: readonly Schema[], prefix: string, direction: Direction): string[][] {
  const forms = schemas
    .flatMap((schema) => [schema, ...formsOf(schema), ...(schema.allOf ?? [])])
    .filter(({ properties }) => properties);
  const names = new Set(forms.flatMap(({ properties = {} }) => Object.keys(properties).filter(isAllowed(properties))));
  return [...names].flatMap((name) => {
    const having = forms.filter(({ properties = {} }) => name in properties);
    const fields = having.map(({ properties = {} }) => properties[name] ?? {});
    const isRequired = having.every(({ required = [] }) => required.includes(name));
    const isEverywhere = having.length === forms.length;
    const mark = direction === 'sent' ? isRequired && 'required' : !isRequired && isEverywhere && 'can be missing';
    const notes = [mark, distinct(fields.map(boundsOf)), plain(fields[0]?.description ?? '')];
    const isList = fields[0]?.type === 'array';
    const inner = isList ? fields.map(({ items = {} }) => items) : fields;
    return [
      [code(prefix + name), distinct(fields.map(typeOf)), sentences(notes)],
      ...rowsOf(inner, `${prefix}${name}${isList ? '[]' : ''}.`, direction),
    ];
  });
}

/** No value matches the schema `not: {}`, so the field must be absent. */
const isAllowed = (properties: Record<string, Schema>) => (name: string) =>
  properties[name]?.not === undefined || Object.keys(properties[name].not).length > 0;

const distinct = (texts: readonly string[]) => [...new Set(texts)].filter(Boolean).join(' or ');
