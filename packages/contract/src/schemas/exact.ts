import * as z from 'zod';
import { mayBeAbsent, sentFormOf } from './primitives.ts';
import { responseSchemas } from './responses.ts';

/**
 * Returns a schema that accepts only the responses of this project's server. Each value must have the form that this
 * server sends. Every field that this server always sends must be present, and no unknown field is allowed.
 */
export function exactly(schema: z.core.$ZodType): z.ZodType {
  const sent = sentFormOf(schema);
  if (sent) return exactly(sent);
  if (schema instanceof z.ZodObject) return z.strictObject(eachOf(schema.shape));
  if (schema instanceof z.ZodArray) return z.array(exactly(schema.element));
  if (schema instanceof z.ZodNullable) return exactly(schema.unwrap()).nullable();
  if (schema instanceof z.ZodOptional) return mayBeAbsent(exactly(schema.unwrap()));
  if (schema instanceof z.ZodUnion) return z.union(schema.options.map(exactly));
  return schema as z.ZodType;
}

const eachOf = <Key extends string>(shape: Readonly<Record<Key, z.core.$ZodType>>) =>
  Object.fromEntries(Object.entries<z.core.$ZodType>(shape).map(([name, schema]) => [name, exactly(schema)])) as Record<
    Key,
    z.ZodType
  >;

/**
 * The exact schemas of the responses of this project's server. Clients must not use these schemas, because another
 * implementation of the API may send other forms.
 */
export const exactResponseSchemas = eachOf(responseSchemas);
