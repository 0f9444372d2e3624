// biome-ignore lint/suspicious/noExplicitAny: a part of a document can be anything.
type Part = any;

/**
 * Converts a document of OpenAPI 3.1 for generators that read only 3.0. It drops samples and webhooks. A field with known
 * and unknown values becomes a string, and a field that may be null may also be absent.
 */
export function asOpenApi30({ webhooks: _webhooks, ...document }: Part): object {
  const { identifier: _identifier, ...license } = document.info.license;
  return { ...convert(document), openapi: '3.0.3', info: { ...document.info, license } };
}

function convert(part: Part): Part {
  if (Array.isArray(part)) return part.map(convert);
  if (typeof part !== 'object' || part === null) return part;
  const { examples: _examples, example: _example, const: constant, ...others } = part;
  const converted = Object.fromEntries(Object.entries(others).map(([key, value]) => [key, convert(value)])) as Part;
  // A constant that is not a string keeps only its type.
  if (typeof constant === 'string') converted.enum = [constant];
  if (Array.isArray(part.type)) Object.assign(converted, { type: part.type[0], nullable: true });
  if (part.anyOf) foldChoice(converted);
  if (Array.isArray(part.required))
    converted.required = part.required.filter((name: string) => !converted.properties[name].nullable);
  return converted;
}

/** The choice of a known or an unknown string is a string. The choice of something or null is something nullable. */
function foldChoice(schema: Part): void {
  const forms = schema.anyOf.filter(({ type }: Part) => type !== 'null');
  const nullable = forms.length < schema.anyOf.length;
  if (nullable) schema.nullable = true;
  const areStrings = forms.every(({ type }: Part) => type === 'string');
  if (!areStrings && !nullable) return;
  delete schema.anyOf;
  Object.assign(schema, areStrings ? { type: 'string' } : { allOf: forms });
}
