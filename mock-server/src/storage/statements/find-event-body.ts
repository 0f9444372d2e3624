import type { Queries } from '../port.ts';

/**
 * The envelope that was POSTed with this event id, byte for byte. For the synthetic id of a replay, the original
 * envelope.
 */
export async function findEventBody(queries: Queries, workspaceId: string, id: string): Promise<string | undefined> {
  const event = await queries
    .selectFrom('events')
    .select('body')
    .where('id', '=', id)
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst();
  if (event) return event.body;
  const replayed = await queries
    .selectFrom('replayed_events as replay')
    .innerJoin('events as event', 'event.id', 'replay.original_event_id')
    .select('event.body')
    .where('replay.id', '=', id)
    .where('replay.workspace_id', '=', workspaceId)
    .executeTakeFirst();
  return replayed?.body;
}
