import type { DeliveryExplanation } from '@svc/contract/control/resources';
import { type DeliveryFacts, explainDelivery } from '../../domain/explain-delivery.ts';
import { findDeliveryAnywhere } from '../../storage/statements/deliveries/read.ts';
import { findEndpoint } from '../../storage/statements/endpoints.ts';
import { findLane } from '../../storage/statements/lanes/turns.ts';
import { notFound } from '../errors.ts';
import { toTimestamp } from '../present/timestamp.ts';
import type { ControlHandlers } from './operation.ts';

/** The call that explains a delivery. */
export const explanationHandlers = {
  async explainDelivery({ services: { storage, clock, timeline, findOnNode }, params: { deliveryId } }) {
    await timeline.refresh();
    const found = await storage.read(async (queries) => {
      const delivery = await findDeliveryAnywhere(queries, deliveryId);
      if (!delivery) return undefined;
      const endpoint = await findEndpoint(queries, delivery.workspace_id, delivery.endpoint_id);
      return { delivery, endpoint, lane: await findLane(queries, delivery.endpoint_id) };
    });
    if (!found) throw notFound('webhook delivery', deliveryId);
    const { delivery, endpoint, lane } = found;
    const { attemptsMax, ...here } = findOnNode({
      id: deliveryId,
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
      laneIsHeld: lane?.node != null,
      here,
      clock: { now: clock.now(), frozen: clock.state.frozenAt !== null },
    };
    const { failuresUntilDisabled, ...said } = explainDelivery(facts);
    const response: DeliveryExplanation = {
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
    return { explanation: response };
  },
} satisfies Partial<ControlHandlers>;
