import { leadOf, raisedLead } from '../../domain/id-time.ts';
import type { Clock } from '../../domain/instant.ts';
import type { Ids } from '../../runtime/ids.ts';
import type { Queries } from '../port.ts';
import { findLatestId, type TABLES_WITH_IDS } from '../statements/ids.ts';
import { findSetting, saveSetting } from '../statements/settings.ts';

/**
 * Stores how far the times in ids may be ahead of the clock. They can be ahead, because ids keep increasing even if the
 * clock is set back. A list that filters by creation time must allow for this difference.
 */
export async function raiseIdLead(queries: Queries, leadMs: number): Promise<void> {
  const raised = raisedLead(await findSetting(queries, 'idLeadMs'), leadMs);
  if (raised !== undefined) await saveSetting(queries, 'idLeadMs', raised);
}

/**
 * Makes this node's new ids higher than all ids in use. If a seed has set ids that are ahead of the clock, the new ids
 * are ahead of the clock, too.
 */
export async function followLatestId(
  queries: Queries,
  { ids, clock, tables }: { ids: Ids; clock: Clock; tables?: typeof TABLES_WITH_IDS },
): Promise<void> {
  const latest = await findLatestId(queries, tables);
  if (latest === undefined) return;
  ids.riseAbove(latest);
  await raiseIdLead(queries, leadOf(latest, clock.now()));
}
