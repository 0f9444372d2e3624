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
  const rows = ended.map(({ id, workspaceId, status }) => [status, workspaceId, 'pending', id]);
  const found = listIdText(queries, 'delivery_statuses.delivery_id');
  await runForRows(queries, { status: 'text', workspace: 'text', was: 'text', id: 'text' }, rows, {
    sqlite: `update delivery_statuses set status = ? where workspace_id = ? and status = ? and ${found} = ?`,
    // The old status comes with the rows. Were it in the statement, then PostgreSQL, which has counted a table where next
    // to nothing is pending, would read all that is pending for each of them.
    postgres: (given) => `update delivery_statuses set status = given.status from ${given}
      where workspace_id = given.workspace and delivery_statuses.status = given.was and ${found} = given.id`,
  });
}
