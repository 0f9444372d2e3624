import type { Context } from 'hono';
import type { z } from 'zod';
import { parseJson, readBody } from '../body.ts';
import { parseOrThrow } from '../parse.ts';

/** Seeds and batches of events may be larger than the limit of the API. */
const CONTROL_BODY_MAX_BYTES = 64 * 1024 * 1024;

/** Reads and parses the body of a control call. A missing body counts as `{}`. */
export async function readControlBody<Value>(c: Context, schema: z.ZodType<Value>): Promise<Value> {
  const bytes = await readBody(c, CONTROL_BODY_MAX_BYTES);
  return parseOrThrow(schema, bytes.length === 0 ? {} : parseJson(bytes), 'body');
}
