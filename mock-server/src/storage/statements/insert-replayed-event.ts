import type { Queries } from '../port.ts';

/** Stores which event has the envelope of a replay's synthetic event id. */
export async function insertReplayedEvent(
  queries: Queries,
  replay: { id: string; workspaceId: string; originalEventId: string },
): Promise<void> {
  await queries
    .insertInto('replayed_events')
    .values({ id: replay.id, workspace_id: replay.workspaceId, original_event_id: replay.originalEventId })
    .execute();
}
