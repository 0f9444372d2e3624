import type { Instant } from '../../../domain/instant.ts';
import type { Queries } from '../../port.ts';
import { findLifecycle, lockLifecycle, saveLifecycle } from './lifecycle-row.ts';

/** Makes an evaluation due at once after a change of the time zone or the first day of the week. */
export async function scheduleCalendarChange(queries: Queries, workspaceId: string, now: Instant): Promise<void> {
  const known = await findLifecycle(queries, workspaceId);
  if (!known || known.next_evaluation_at === null) return;
  const row = await lockLifecycle(queries, workspaceId);
  if (row.next_evaluation_at === null) return;
  await saveLifecycle(queries, { ...row, next_evaluation_at: now, next_trigger: 'calendar' });
}
