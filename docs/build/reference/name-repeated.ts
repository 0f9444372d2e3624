import type { OpenApi } from './operation.ts';
import { formsOf, type Schema } from './schema.ts';

/** An object with fewer fields is easier to read in its place. */
const FIELDS_MIN = 3;

type Schemas = Readonly<Record<string, Schema>>;
type Replace = (schema: Schema, field: string) => Schema;

/**
 * Gives each object that a document describes more than once a name, and refers to it by that. The name is that of a
 * field that holds one: `profile` becomes `Profile`.
 */
export function nameRepeated(document: OpenApi): OpenApi {
  let { paths } = document;
  let { schemas } = document.components;
  // The largest first: what only it contains then occurs once.
  for (let found = largestRepeated(paths, schemas); found; found = largestRepeated(paths, schemas)) {
    const { name, text } = found;
    const refer: Replace = (schema) =>
      JSON.stringify(schema) === text ? { $ref: `#/components/schemas/${name}` } : schema;
    paths = visit(paths, '', refer) as OpenApi['paths'];
    const others = Object.entries(schemas).map(([key, schema]) => [key, visitInside(schema, '', refer)]);
    schemas = { ...Object.fromEntries(others), [name]: JSON.parse(text) as Schema };
  }
  return { ...document, paths, components: { ...document.components, schemas } };
}

function largestRepeated(paths: OpenApi['paths'], schemas: Schemas): { name: string; text: string } | undefined {
  const found = new Map<string, { count: number; name: string | undefined }>();
  const add: Replace = (schema, field) => {
    const text = JSON.stringify(schema);
    const { count = 0, name = undefined } = found.get(text) ?? {};
    // The shorter name is the more general one: `Sync` rather than `LastSync`.
    const [shortest] = [name, nameFrom(field)]
      .filter((one) => one !== undefined && !(one in schemas))
      .toSorted((a = '', b = '') => a.length - b.length);
    found.set(text, { count: count + 1, name: shortest });
    return schema;
  };
  visit(paths, '', add);
  for (const schema of Object.values(schemas)) visitInside(schema, '', add);
  const [largest] = [...found]
    .filter(([, { count, name }]) => count > 1 && name !== undefined)
    .toSorted(([a], [b]) => b.length - a.length);
  return largest && { name: String(largest[1].name), text: largest[0] };
}

/** A name from a field: `profile` and `profiles` become `Profile`. The field `data` of a page says nothing. */
const nameFrom = (field: string) =>
  field === '' || field === 'data' ? undefined : field.charAt(0).toUpperCase() + field.slice(1);

const singular = (field: string) => field.replace(/ies$/, 'y').replace(/s$/, '');

/** Keys whose value describes the same field as the object around them. */
const SAME_FIELD = ['anyOf', 'oneOf', 'allOf'];

/** Keys of an OpenAPI document that are no fields. */
const NO_FIELD = ['properties', 'schema', 'content'];

/** The fields of one form. A field that another form has as well, but otherwise, stays in its place. */
function visitFields({ properties = {} }: Schema, forms: readonly Schema[], replace: Replace): Schema['properties'] {
  const isAlike = (name: string, text: string) =>
    forms.every((form) => !form.properties?.[name] || JSON.stringify(form.properties[name]) === text);
  const fields = Object.entries(properties).map(([name, field]) => [
    name,
    isAlike(name, JSON.stringify(field)) ? visit(field, name, replace) : field,
  ]);
  return Object.fromEntries(fields) as Schema['properties'];
}

const isObject = ({ type, properties = {} }: Schema) => type === 'object' && Object.keys(properties).length > 0;

/** Goes through a value from outside, and replaces each object that has enough fields, or several forms. */
function visit(value: unknown, field: string, replace: Replace): unknown {
  if (Array.isArray(value)) return value.map((item) => visit(item, field, replace));
  if (typeof value !== 'object' || value === null) return value;
  const schema = value as Schema;
  const isLarge = isObject(schema) && Object.keys(schema.properties ?? {}).length >= FIELDS_MIN;
  const replaced = isLarge || hasForms(schema) ? replace(schema, field) : schema;
  return replaced === schema ? visitInside(schema, field, replace) : replaced;
}

/** An object or null has one form. */
const hasForms = (schema: Schema) => formsOf(schema).filter(isObject).length > 1;

function visitInside(schema: Schema, field: string, replace: Replace): object {
  const fieldOf = (key: string) => {
    if (SAME_FIELD.includes(key)) return field;
    return key === 'items' ? singular(field) : NO_FIELD.includes(key) ? '' : key;
  };
  const visitForm = (form: Schema) => ({ ...form, properties: visitFields(form, formsOf(schema), replace) });
  return Object.fromEntries(
    Object.entries(schema).map(([key, inner]) => [
      key,
      SAME_FIELD.includes(key) && hasForms(schema)
        ? (inner as Schema[]).map((form) => (isObject(form) ? visitForm(form) : form))
        : visit(inner, fieldOf(key), replace),
    ]),
  );
}
