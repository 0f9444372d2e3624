import { z } from 'zod';
import { type DeliveryFacts, explainDelivery } from '../../domain/explain-delivery.ts';
import { findDeliveryAnywhere } from '../../storage/statements/find-delivery-anywhere.ts';
import { findEndpoint } from '../../storage/statements/find-endpoint.ts';
import { findLane } from '../../storage/statements/find-lane.ts';
import { notFound } from '../errors.ts';
import { toTimestamp } from '../present/timestamp.ts';
import { controlOperation } from './operation.ts';

const explanation = z.object({
  reason: z.enum([
    'delivered',
    'attempts_used_up',
    'endpoint_inactive',
    'endpoint_deleted',
    'in_flight',
    'scheduled',
    'clock_frozen',
    'not_delivering',
    'held_by_another_server',
    'endpoint_busy',
    'workspace_busy',
    'server_busy',
    'waiting_for_its_turn',
  ]),
  sentence: z.string(),
  status: z.enum(['pending', 'success', 'failed', 'disabled']),
  attempt: z.int(),
  attemptsLeft: z.int(),
  nextAttemptAt: z.string().nullable(),
  endpoint: z.object({
    id: z.string(),
    active: z.boolean(),
    deleted: z.boolean(),
    consecutiveFailures: z.int(),
    failuresUntilDisabled: z.int().nullable(),
  }),
  clock: z.object({ now: z.string(), frozen: z.boolean() }),
});

const explain = controlOperation({
  method: 'GET',
  path: '/_control/deliveries/{id}/explanation',
  summary: 'Why a delivery is in its state, and what comes next',
  status: 200,
  answer: z.object({ explanation }),
  refusals: { 404: 'No such delivery.' },
  async handle({ services: { storage, clock, timeline, findOnNode }, params: { id = '' } }) {
    await timeline.refresh();
    const found = await storage.read(async (queries) => {
      const delivery = await findDeliveryAnywhere(queries, id);
      if (!delivery) return undefined;
      const endpoint = await findEndpoint(queries, delivery.workspace_id, delivery.endpoint_id);
      return { delivery, endpoint, lane: await findLane(queries, delivery.endpoint_id) };
    });
    if (!found) throw notFound('webhook delivery', id);
    const { delivery, endpoint, lane } = found;
    const { attemptsMax, ...here } = findOnNode({
      id,
      endpointId: delivery.endpoint_id,
      workspaceId: delivery.workspace_id,
    });
    const facts: DeliveryFacts = {
      status: delivery.status as DeliveryFacts['status'],
      attempt: delivery.attempt,
      attemptsMax,
      nextAttemptAt: delivery.next_attempt_at,
      deliveredAt: delivery.delivered_at,
      error: delivery.error,
      endpoint: endpoint && { active: endpoint.active === 1, consecutiveFailures: endpoint.consecutive_failures },
      laneIsHeld: lane?.lease_until != null,
      here,
      clock: { now: clock.now(), frozen: clock.state.frozenAt !== null },
    };
    const { failuresUntilDisabled, ...said } = explainDelivery(facts);
    const answer: z.output<typeof explanation> = {
      ...said,
      status: facts.status,
      attempt: facts.attempt,
      nextAttemptAt: facts.nextAttemptAt === null ? null : toTimestamp(facts.nextAttemptAt),
      endpoint: {
        id: delivery.endpoint_id,
        active: facts.endpoint?.active ?? false,
        deleted: facts.endpoint === undefined,
        consecutiveFailures: facts.endpoint?.consecutiveFailures ?? 0,
        failuresUntilDisabled,
      },
      clock: { now: toTimestamp(facts.clock.now), frozen: facts.clock.frozen },
    };
    return { explanation: answer };
  },
});

/** The call that explains a delivery. */
export const explanationOperations = [explain];
