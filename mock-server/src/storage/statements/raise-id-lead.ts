import type { Queries } from '../port.ts';
import { findSetting } from './find-setting.ts';
import { saveSetting } from './save-setting.ts';

/**
 * Stores how far ids may be ahead of the clock. Ids keep rising even if the clock is set back, so a search by creation
 * time cannot rely on ids alone.
 */
export async function raiseIdLead(queries: Queries, leadMs: number): Promise<void> {
  const known = (await findSetting(queries, 'idLeadMs')) ?? 0;
  // Allow for a small difference between the clocks of nodes.
  if (leadMs > 0 && leadMs > known) await saveSetting(queries, 'idLeadMs', leadMs + 1_000);
}
