import type { Context } from 'hono';
import type { z } from 'zod';
import { parseJson, readBody } from '../body.ts';
import { ApiError } from '../errors.ts';
import { parseOrThrow } from '../parse.ts';

/** Seeds and batches of events may exceed the API's limits on size, and on arrays and objects. */
const CONTROL_BODY_MAX_BYTES = 64 * 1024 * 1024;

/**
 * Requires the media type of JSON, with or without a body. A web page cannot send it to another origin without a
 * preflight, which the control API rejects.
 *
 * @throws 415 for any other type, or none.
 */
export function requireJsonType(c: Context): void {
  const type = c.req.header('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type === 'application/json') return;
  throw new ApiError('UNSUPPORTED_MEDIA_TYPE', 'Send "Content-Type: application/json", even without a body.');
}

/** Reads and parses the body of a control call. A missing body counts as `{}`. */
export async function readControlBody<Value>(c: Context, schema: z.ZodType<Value>): Promise<Value> {
  const bytes = await readBody(c, CONTROL_BODY_MAX_BYTES);
  return parseOrThrow(schema, bytes.length === 0 ? {} : parseJson(bytes, Number.POSITIVE_INFINITY), 'body');
}
