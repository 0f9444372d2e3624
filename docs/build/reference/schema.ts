import { code, plain, table } from './markdown.ts';

/** The parts of a JSON Schema that these pages use. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  default?: unknown;
  format?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
}

/** The type in a few words, such as `string or null`. */
export function typeOf(schema: Schema): string {
  if (schema.$ref) {
    const name = String(schema.$ref.split('/').at(-1));
    return name === 'JsonValue' || name.startsWith('__') ? 'any JSON' : `[${name}](#${name.toLowerCase()})`;
  }
  if (schema.const !== undefined) return code(JSON.stringify(schema.const));
  if (schema.enum) return schema.enum.map((value) => code(JSON.stringify(value))).join(', ');
  const variants = schema.anyOf ?? schema.oneOf;
  if (variants) return [...new Set(variants.map(typeOf))].join(' or ');
  if (schema.type === 'array') return `list of ${typeOf(schema.items ?? {})}`;
  if (Array.isArray(schema.type)) return schema.type.join(' or ');
  return schema.format === 'date-time' ? 'timestamp' : schema.format === 'uri' ? 'URL' : (schema.type ?? 'any JSON');
}

/** The limits of a value, such as `1 to 100, default 20`. */
function boundsOf(schema: Schema): string {
  const range = (min: number | undefined, max: number | undefined, unit: string) => {
    if (max === undefined || max === Number.MAX_SAFE_INTEGER) return min ? `at least ${min}${unit}` : '';
    return min === undefined ? `at most ${max}${unit}` : `${min} to ${max}${unit}`;
  };
  const nested = (schema.anyOf ?? []).map(boundsOf);
  return [
    range(schema.minLength, schema.maxLength, ' characters'),
    range(schema.minimum, schema.maximum, ''),
    range(schema.minItems, schema.maxItems, ' items'),
    schema.default === undefined ? '' : `default ${code(JSON.stringify(schema.default))}`,
    ...nested,
  ]
    .filter(Boolean)
    .join(', ');
}

/** A table of an object's fields. Nested fields have their path. */
export function fieldsTable(schema: Schema): string {
  const rows = rowsOf(schema, '');
  return rows.length === 0 ? '' : table(['field', 'type', 'notes'], rows);
}

function rowsOf(schema: Schema, prefix: string): string[][] {
  const variants = [schema, ...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])];
  const seen = new Set<string>();
  return variants.flatMap(({ properties = {}, required = [] }) =>
    Object.entries(properties).flatMap(([name, field]) => {
      if (seen.has(name)) return [];
      seen.add(name);
      const isRequired = required.includes(name) && variants.length === 1;
      const notes = [isRequired ? 'required' : '', boundsOf(field), plain(field.description ?? '')].filter(Boolean);
      const nested =
        field.type === 'array' ? rowsOf(field.items ?? {}, `${prefix}${name}[].`) : rowsOf(field, `${prefix}${name}.`);
      return [[code(prefix + name), typeOf(field), notes.join('; ')], ...nested];
    }),
  );
}
