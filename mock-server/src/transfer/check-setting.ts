import { controlBodies } from '@svc/contract/control/schemas';
import { z } from 'zod';
import { FURTHEST_MS } from '../domain/id-time.ts';
import { schemaProblem } from '../domain/schema-problem.ts';
import type { TRANSFER_SETTINGS } from '../storage/transfer/tables.ts';

export type TransferSetting = (typeof TRANSFER_SETTINGS)[number];

const integer = (min: number, max: number) =>
  z.custom<number>(
    (value) => Number.isInteger(value) && Number(value) >= min && Number(value) <= max,
    `must be an integer from ${min} to ${max}`,
  );
const count = integer(0, Number.MAX_SAFE_INTEGER);
const distance = integer(-FURTHEST_MS, FURTHEST_MS);

const clock = z
  .strictObject({
    frozenAt: distance.nullable(),
    offsetMs: distance.optional(),
    idsAfter: z.string().optional(),
    moving: z.strictObject({ at: distance, afterId: z.string(), target: distance }).optional(),
  })
  .refine(({ frozenAt, offsetMs }) => frozenAt !== null || offsetMs !== undefined, {
    path: ['offsetMs'],
    error: 'must be an integer if the clock is not frozen',
  });

const [apiFault, deliveryFault] = controlBodies.createFault.options;
const { times, probability, randomSeed } = apiFault.shape;
/** Every stored fault has these fields, because the server sets the fields that the caller leaves out. */
const stored = {
  id: z.string(),
  times: times.unwrap(),
  probability: probability.unwrap(),
  randomSeed: randomSeed.unwrap(),
  matched: count,
  struck: count,
};
const fault = z.discriminatedUnion('target', [
  apiFault.extend({ ...stored, match: apiFault.shape.match.unwrap() }),
  deliveryFault.extend({ ...stored, match: deliveryFault.shape.match.unwrap() }),
]);

const SETTINGS: Readonly<Record<TransferSetting, z.ZodType>> = {
  clock,
  faults: z.array(fault),
  idLeadMs: integer(0, FURTHEST_MS),
  usedRandomSeed: z.literal(true),
};

export function problemOfSetting(name: TransferSetting, json: string): string | undefined {
  const value: unknown = JSON.parse(json);
  const result = SETTINGS[name].safeParse(value);
  if (result.success) return undefined;
  const { path, problem } = schemaProblem(result.error, value);
  return `the setting ${[name, path].filter(Boolean).join('.')} ${problem}`;
}
