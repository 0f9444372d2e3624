import { sql } from 'kysely';
import type { Queries } from '../port.ts';
import { DELIVERY_COLUMNS, readDeliveries, type StoredDelivery } from './read-deliveries.ts';

/** A delivery of any workspace, for the control API. */
export async function findDeliveryAnywhere(queries: Queries, id: string): Promise<StoredDelivery | undefined> {
  const [delivery] = await readDeliveries(
    queries,
    sql`select ${DELIVERY_COLUMNS} from deliveries as delivery where id = ${id}`,
  );
  return delivery;
}

/** A delivery of a workspace. */
export async function findDelivery(
  queries: Queries,
  workspaceId: string,
  id: string,
): Promise<StoredDelivery | undefined> {
  const delivery = await findDeliveryAnywhere(queries, id);
  return delivery?.workspace_id === workspaceId ? delivery : undefined;
}
