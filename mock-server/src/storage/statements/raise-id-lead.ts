import type { Queries } from '../port.ts';
import { findSetting } from './find-setting.ts';
import { saveSetting } from './save-setting.ts';

/**
 * Remembers by how much ids may be ahead of the clock that rows are stamped with: ids keep rising where the clock is
 * set back. Without that, what was created up to an instant would be found by id alone.
 */
export async function raiseIdLead(queries: Queries, leadMs: number): Promise<void> {
  const known = (await findSetting(queries, 'idLeadMs')) ?? 0;
  // The clocks of several nodes are a little apart.
  if (leadMs > 0 && leadMs > known) await saveSetting(queries, 'idLeadMs', leadMs + 1_000);
}
