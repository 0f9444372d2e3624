import type { z } from 'zod';
import { schemaProblem } from '../domain/schema-problem.ts';
import { validation } from './errors.ts';

/** Parses a value with a schema of the contract. @throws 400 `VALIDATION` that names the first mistake. */
export function parseOrThrow<Value>(schema: z.ZodType<Value>, value: unknown, what: 'body' | 'query'): Value {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const { path, problem } = schemaProblem(result.error, value);
  throw validation(`Invalid ${what}: ${path ? `"${path}"` : 'it'} ${problem}.`);
}
