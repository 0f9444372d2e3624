import { runForRows } from '../many-rows.ts';
import type { Queries } from '../port.ts';

/** Ends pending deliveries whose endpoint was found inactive or deleted: no request is made any more. */
export async function disableDeliveries(queries: Queries, ids: readonly string[]): Promise<void> {
  const rows = ids.map((id) => [id]);
  const update = "update deliveries set status = 'disabled', next_attempt_at = null";
  await runForRows(queries, { id: 'text' }, rows, {
    sqlite: `${update} where id = ? and status = 'pending'`,
    postgres: (given) => `${update} from ${given} where deliveries.id = given.id and status = 'pending'`,
  });
}
