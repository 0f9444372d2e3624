import { runForRows } from '../many-rows.ts';
import type { Queries } from '../port.ts';
import { type EndedDelivery, listAsEnded } from './list-as-ended.ts';

/** Ends pending deliveries whose endpoint is inactive or deleted. No further requests are made for them. */
export async function disableDeliveries(queries: Queries, ids: readonly string[]): Promise<void> {
  const rows = ids.map((id) => [id]);
  const update = "update deliveries set status = 'disabled', next_attempt_at = null";
  const returning = `returning deliveries.id, deliveries.workspace_id as "workspaceId", deliveries.endpoint_id as "endpointId",
    deliveries.status`;
  const disabled = await runForRows<EndedDelivery>(queries, { id: 'text' }, rows, {
    sqlite: `${update} where id = ? and status = 'pending' ${returning}`,
    postgres: (given) =>
      `${update} from ${given} where deliveries.id = given.id and deliveries.status = 'pending' ${returning}`,
  });
  await listAsEnded(queries, disabled);
}
