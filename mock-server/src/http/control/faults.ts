import { z } from 'zod';
import type { Fault } from '../../domain/fault.ts';
import { drawInteger } from '../../domain/random.ts';
import { ApiError, notFound } from '../errors.ts';
import { controlOperation } from './operation.ts';

/** A limit, because a delay runs on the real clock. */
const DELAY_MAX_MS = 60_000;
const FAULTS_MAX = 1_000;
const RANDOM_SEED_MAX = 2 ** 32 - 1;

const delayMs = z.int().min(0).max(DELAY_MAX_MS).optional();
const loss = z.union([z.literal(true), z.literal('answer')], 'must be true or "answer"').optional();

/** A fault has one effect, at once or after a delay. */
const isOneThing = ({ delayMs, ...rest }: object & { delayMs?: unknown }) => {
  const others = Object.values(rest).filter((value) => value !== undefined).length;
  return others === 1 || (others === 0 && delayMs !== undefined);
};
const ONE_THING = 'must hold one effect, with "delayMs" or without, or "delayMs" alone';

const apiEffect = z
  .strictObject({ delayMs, status: z.int().min(400).max(599).optional(), reset: loss, drop: loss })
  .refine(isOneThing, ONE_THING);
const deliveryEffect = z
  .strictObject({
    delayMs,
    status: z.int().min(200).max(599).optional(),
    reset: loss,
    drop: loss,
    duplicate: z.literal(true).optional(),
    reorder: z.literal(true).optional(),
  })
  .refine(isOneThing, ONE_THING);

const apiMatch = z.strictObject({
  method: z.enum(['GET', 'POST', 'PATCH', 'DELETE']).optional(),
  path: z.string().startsWith('/v1/', 'must begin with /v1/: the control API has no faults').max(200).optional(),
  workspaceId: z.string().optional(),
});
const deliveryMatch = z.strictObject({
  endpointId: z.string().optional(),
  workspaceId: z.string().optional(),
  eventType: z.string().optional(),
  attempt: z.int().min(1).optional(),
});

const rest = {
  times: z.int().min(1).nullable().default(null),
  probability: z.number().gt(0).max(1).default(1),
  randomSeed: z.int().min(0).max(RANDOM_SEED_MAX).optional(),
};
const faultBody = z.discriminatedUnion('target', [
  z.strictObject({ target: z.literal('api'), match: apiMatch.default({}), effect: apiEffect, ...rest }),
  z.strictObject({ target: z.literal('delivery'), match: deliveryMatch.default({}), effect: deliveryEffect, ...rest }),
]);

const counted = {
  id: z.string(),
  times: z.int().nullable(),
  /** Strikes left. Null means no limit. */
  remaining: z.int().nullable(),
  probability: z.number(),
  randomSeed: z.int(),
  matched: z.int(),
  struck: z.int(),
};
const faultAnswer = z.discriminatedUnion('target', [
  z.object({ target: z.literal('api'), match: apiMatch, effect: apiEffect, ...counted }),
  z.object({ target: z.literal('delivery'), match: deliveryMatch, effect: deliveryEffect, ...counted }),
]);

const createFault = controlOperation({
  method: 'POST',
  path: '/_control/faults',
  summary: 'Inject a fault into responses of the API or into deliveries',
  body: faultBody,
  status: 201,
  answer: z.object({ fault: faultAnswer }),
  refusals: { 409: 'There are 1,000 faults already.' },
  async handle({ services: { faults, ids, random }, body }) {
    if ((await faults.list()).length >= FAULTS_MAX)
      throw new ApiError('CONFLICT', `There are ${FAULTS_MAX} faults already. Clear them first.`);
    const fault = {
      ...body,
      id: `flt_${ids.nextBare()}`,
      randomSeed: body.randomSeed ?? drawInteger(random, 'faults'),
      matched: 0,
      struck: 0,
    } as Fault;
    await faults.add(fault);
    return { fault: presentFault(fault) };
  },
});

const readFaults = controlOperation({
  method: 'GET',
  path: '/_control/faults',
  summary: 'List the active faults with their counts',
  description: 'They are in the order in which the server checks them.',
  status: 200,
  answer: z.object({ faults: z.array(faultAnswer) }),
  handle: async ({ services: { faults } }) => ({ faults: (await faults.list()).map(presentFault) }),
});

const clearFaults = controlOperation({
  method: 'DELETE',
  path: '/_control/faults',
  summary: 'End all faults',
  status: 200,
  answer: z.object({ ok: z.literal(true) }),
  async handle({ services: { faults } }) {
    await faults.clear();
    return { ok: true };
  },
});

const endFault = controlOperation({
  method: 'DELETE',
  path: '/_control/faults/{id}',
  summary: 'End a fault',
  status: 200,
  answer: z.object({ ok: z.literal(true) }),
  refusals: { 404: 'No such fault.' },
  async handle({ services: { faults }, params: { id = '' } }) {
    if (!(await faults.remove(id))) throw notFound('fault', id);
    return { ok: true };
  },
});

const presentFault = (fault: Fault) =>
  ({ ...fault, remaining: fault.times === null ? null : fault.times - fault.struck }) as z.output<typeof faultAnswer>;

/** The calls that inject faults. */
export const faultOperations = [createFault, readFaults, clearFaults, endFault];
