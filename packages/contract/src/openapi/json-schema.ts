import * as z from 'zod';
import { json } from '../schemas/primitives.ts';

export type JsonSchema = Record<string, unknown>;

type Override = NonNullable<Parameters<typeof z.toJSONSchema<z.ZodType>>[1]>['override'];

/** Adds the metadata of the zod schema, and simplifies the JSON Schema that zod generates. */
const common = (({ zodSchema, jsonSchema }) => {
  Object.assign(jsonSchema, z.globalRegistry.get(zodSchema as never));
  flattenChoice(jsonSchema);
  foldPatterns(jsonSchema);
  foldNull(jsonSchema);
  // Remove the bounds that zod gives every integer: they say only that JavaScript can represent the integer exactly.
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  // Remove `propertyNames`, because every property name in JSON is a string.
  delete jsonSchema.propertyNames;
  // Remove this format: no standard defines it, and the pattern has the same meaning.
  if (jsonSchema.format === 'starts_with') delete jsonSchema.format;
}) satisfies Override;

/** Moves the forms of an inner `anyOf` to the outer `anyOf`. */
function flattenChoice(schema: JsonSchema): void {
  const forms = schema['anyOf'] as JsonSchema[] | undefined;
  const choiceIn = (form: JsonSchema) => (Object.keys(form).length === 1 && form['anyOf']) as JsonSchema[] | undefined;
  if (forms) schema['anyOf'] = forms.flatMap((form) => choiceIn(form) || [form]);
}

/** Merges an `anyOf` of patterns into one pattern, because code generators write a type for each `anyOf`. */
function foldPatterns(schema: JsonSchema): void {
  const forms = (schema['anyOf'] ?? []) as JsonSchema[];
  if (forms.length === 0 || !forms.every(({ type, pattern }) => type === 'string' && pattern)) return;
  delete schema['anyOf'];
  Object.assign(schema, { type: 'string', pattern: forms.map(({ pattern }) => pattern).join('|') });
}

/** Replaces an `anyOf` of a type and null with an array of the two types, which more code generators can read. */
function foldNull(schema: JsonSchema): void {
  const [form, none, ...others] = (schema['anyOf'] ?? []) as JsonSchema[];
  if (!form || none?.['type'] !== 'null' || others.length > 0) return;
  if (typeof form['type'] !== 'string' || form['const'] !== undefined || form['enum']) return;
  delete schema['anyOf'];
  Object.assign(schema, form, { type: [form['type'], 'null'] });
}

const conversion = {
  target: 'draft-2020-12',
  unrepresentable: 'any',
  override: ({ zodSchema, jsonSchema, path }) => {
    common({ zodSchema, jsonSchema, path });
    // zod's schema of a JSON value refers to itself, which many code generators cannot follow. An empty schema
    // accepts the same values.
    if ((zodSchema as z.core.$ZodType) === json) for (const key of Object.keys(jsonSchema)) delete jsonSchema[key];
    // Allow unknown fields: the service may add fields to responses, and ignores unknown fields of requests.
    if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
  },
} as const satisfies Parameters<typeof z.toJSONSchema>[1];

/**
 * Converts a schema of input to the control API. Unknown fields are rejected, and fields with a default are optional.
 */
export const strictInput = (schema: z.ZodType): JsonSchema =>
  lift(
    z.toJSONSchema(schema, {
      ...conversion,
      io: 'input',
      override: common,
    }),
  );

interface NamedSchemas {
  /** Returns the value of `components.schemas`. */
  all(): Record<string, JsonSchema>;
  /** Converts a zod schema. If the zod schema has a name, the JSON Schema is a reference. */
  inline(schema: z.ZodType): JsonSchema;
}

/** Converts named schemas, and schemas that refer to them, to JSON Schema. */
export function createNamedSchemas(named: Readonly<Record<string, z.ZodType>>): NamedSchemas {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(named)) registry.add(schema, { id });
  return {
    all() {
      const { schemas } = z.toJSONSchema(registry, { ...conversion, uri: referenceTo });
      return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, lift(schema as JsonSchema)]));
    },
    inline(schema) {
      const name = registry.get(schema)?.id;
      if (name !== undefined) return { $ref: referenceTo(name) };
      return lift(z.toJSONSchema(schema, { ...conversion, metadata: registry }));
    },
  };
}

export const referenceTo = (name: string): string => `#/components/schemas/${name}`;

/** Makes references point to `components.schemas`, and removes the parts that only a standalone schema needs. */
function lift(schema: JsonSchema): JsonSchema {
  const { $schema: _schema, $id: _id, id: _name, $defs: _defs, ...rest } = schema;
  return JSON.parse(JSON.stringify(rest).replaceAll('"#/$defs/', `"${referenceTo('')}`)) as JsonSchema;
}

export const entitle = (title: string, schema: JsonSchema): JsonSchema =>
  schema['$ref'] === undefined ? { title, ...schema } : schema;

const SAMPLES_MAX = 2;

/**
 * Adds the descriptions in `fields` and the values in `samples` to the properties. A property with a named schema gets
 * no samples, because the named schema has its own samples.
 */
export function annotate(
  schema: JsonSchema,
  fields: Readonly<Record<string, string>>,
  samples: readonly unknown[],
  prefix = '',
): JsonSchema {
  const { properties, items, anyOf, oneOf } = schema as {
    properties?: Record<string, JsonSchema>;
    items?: JsonSchema;
    anyOf?: JsonSchema[];
    oneOf?: JsonSchema[];
  };
  const inner = (form: JsonSchema) => annotate(form, fields, samples.filter(fits(form)), prefix);
  const annotated = Object.entries(properties ?? {}).map(([name, property]) => {
    const path = `${prefix}${name}`;
    const values = samples
      .map((sample) => (sample as JsonSchema | null)?.[name])
      .filter((value) => value !== undefined);
    return [
      name,
      {
        ...annotate(property, fields, values, `${path}.`),
        description: fields[path],
        ...(!isNamed(property) && { examples: distinct(values).slice(0, SAMPLES_MAX) }),
      },
    ];
  });
  return {
    ...schema,
    ...(properties && { properties: Object.fromEntries(annotated) }),
    ...(items && { items: annotate(items, fields, samples.flat(), prefix) }),
    ...(anyOf && { anyOf: anyOf.map(inner) }),
    ...(oneOf && { oneOf: oneOf.map(inner) }),
  };
}

/**
 * Whether a sample matches a schema. If the schema has a constant value for a field, the field must have this value in
 * the sample, or be absent. If the schema rejects unknown fields, the sample must not have any.
 */
const fits =
  ({ properties = {}, additionalProperties }: JsonSchema) =>
  (sample: unknown): boolean =>
    Object.entries(properties as Record<string, JsonSchema>).every(
      ([name, { const: constant }]) =>
        constant === undefined || [undefined, constant].includes((sample as JsonSchema | null)?.[name] as never),
    ) &&
    (additionalProperties !== false || Object.keys(Object(sample)).every((name) => name in (properties as object)));

const isNamed = ({ $ref, items }: JsonSchema) => $ref !== undefined || (items as JsonSchema)?.['$ref'] !== undefined;

const distinct = (values: readonly unknown[]): unknown[] => [
  ...new Map(values.map((value) => [JSON.stringify(value), value])).values(),
];
