import type { z } from 'zod';

/** A schema of a type, which names each of the fields. Without a name, the server drops or rejects an optional field. */
export type Complete<Value> = z.ZodType<Value> & { shape: Readonly<Record<keyof Value, unknown>> };
