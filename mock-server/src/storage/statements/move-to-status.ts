import { listIdText } from '../dialect.ts';
import { runForRows } from '../many-rows.ts';
import type { Queries } from '../port.ts';

/** A delivery that is not `pending` any more. */
export interface EndedDelivery {
  id: string;
  workspaceId: string;
  status: string;
}

/** Moves deliveries from the list of those pending to that of the status that they ended with. */
export async function moveToStatus(queries: Queries, ended: readonly EndedDelivery[]): Promise<void> {
  const rows = ended.map(({ id, workspaceId, status }) => [status, workspaceId, id]);
  const from = "where delivery_statuses.status = 'pending' and delivery_statuses.workspace_id =";
  const id = listIdText(queries, 'delivery_statuses.delivery_id');
  await runForRows(queries, { status: 'text', workspace_id: 'text', id: 'text' }, rows, {
    sqlite: `update delivery_statuses set status = ? ${from} ? and ${id} = ?`,
    postgres: (given) =>
      `update delivery_statuses set status = given.status from ${given} ${from} given.workspace_id and ${id} = given.id`,
  });
}
