import { insertRows } from '../many-rows.ts';
import type { Queries } from '../port.ts';

/** A delivery that is no longer `pending`. */
export interface EndedDelivery {
  id: string;
  workspaceId: string;
  endpointId: string;
  status: string;
}

const COLUMNS = { workspace_id: 'text', endpoint_id: 'text', status: 'text', delivery_id: 'text' } as const;

/** Adds ended deliveries to the lists by status. Pending deliveries are listed from the queue. */
export async function listAsEnded(queries: Queries, ended: readonly EndedDelivery[]): Promise<void> {
  await insertRows(
    queries,
    'delivery_statuses',
    COLUMNS,
    ended.map(({ id, workspaceId, endpointId, status }) => [workspaceId, endpointId, status, id]),
  );
}
