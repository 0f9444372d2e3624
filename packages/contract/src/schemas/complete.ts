import type { z } from 'zod';

/**
 * A schema that must list every field of its type. If an optional field were missing from the schema, the server would
 * drop or reject the field.
 */
export type Complete<Value> = z.ZodType<Value> & { shape: Readonly<Record<keyof Value, unknown>> };
