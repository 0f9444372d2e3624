import * as z from 'zod';
import { ERROR_STATUSES, type ErrorBody, type ErrorCode } from '../errors.ts';
import { open } from './primitives.ts';

export const ErrorBodySchema = z.object({
  error: z.object({
    code: open(Object.keys(ERROR_STATUSES) as [ErrorCode]),
    message: z.string(),
  }),
}) satisfies z.ZodType<ErrorBody>;
