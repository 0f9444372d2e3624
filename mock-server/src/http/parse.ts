import type { z } from 'zod';
import { validation } from './errors.ts';

/** Parses with a schema of the contract. @throws 400 `VALIDATION` that names the first thing that is wrong. */
export function parseOrThrow<Value>(schema: z.ZodType<Value>, value: unknown, what: 'body' | 'query'): Value {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const path = issue?.path.map(String).join('.');
  throw validation(path ? `Invalid ${what}: "${path}": ${issue?.message}` : `Invalid ${what}: ${issue?.message}`);
}
