import * as z from 'zod';
import { FAULT_METHODS } from '../values.ts';

/** The delay has a limit, because callers wait for the delay in real time. */
const DELAY_MAX_MS = 60_000;
const RANDOM_SEED_MAX = 2 ** 32 - 1;

const delayMs = z.int().min(0).max(DELAY_MAX_MS).optional();
const loss = z.union([z.literal(true), z.literal('response')], 'must be true or "response"').optional();

/**
 * Whether the effect of a fault is valid: either a delay alone, or exactly one other effect with or without a delay.
 */
const isOneThing = ({ delayMs, ...rest }: object & { delayMs?: unknown }) => {
  const others = Object.values(rest).filter((value) => value !== undefined).length;
  return others === 1 || (others === 0 && delayMs !== undefined);
};
const ONE_THING = 'must have either "delayMs" alone, or exactly one other effect with or without "delayMs"';

export const apiEffect = z
  .strictObject({ delayMs, status: z.int().min(400).max(599).optional(), reset: loss, drop: loss })
  .refine(isOneThing, ONE_THING);
export const deliveryEffect = z
  .strictObject({
    delayMs,
    status: z.int().min(200).max(599).optional(),
    reset: loss,
    drop: loss,
    duplicate: z.literal(true).optional(),
    reorder: z.literal(true).optional(),
  })
  .refine(isOneThing, ONE_THING);

export const apiMatch = z.strictObject({
  method: z.enum(FAULT_METHODS).optional(),
  path: z
    .string()
    .startsWith('/v1/', 'must begin with /v1/, because faults do not apply to the control API')
    .max(200)
    .optional(),
  workspaceId: z.string().optional(),
});
export const deliveryMatch = z.strictObject({
  endpointId: z.string().optional(),
  workspaceId: z.string().optional(),
  eventType: z.string().optional(),
  attempt: z.int().min(1).optional(),
});

const draws = {
  times: z.int().min(1).nullable().default(null),
  probability: z.number().gt(0).max(1).default(1),
  randomSeed: z.int().min(0).max(RANDOM_SEED_MAX).optional(),
};

/** A fault to inject. */
export const faultInput = z.discriminatedUnion('target', [
  z.strictObject({ target: z.literal('api'), match: apiMatch.default({}), effect: apiEffect, ...draws }),
  z.strictObject({ target: z.literal('delivery'), match: deliveryMatch.default({}), effect: deliveryEffect, ...draws }),
]);
