import type { Queries } from '../port.ts';
import { together } from '../together.ts';

/** When each endpoint's next attempt is due. Two look-ups in its lane: one for first attempts, one for retries. */
export async function findNextDue(queries: Queries, endpointIds: readonly string[]): Promise<Map<string, number>> {
  const seek = (endpointId: string, retry: number) =>
    queries
      .selectFrom('delivery_queue')
      .select('due_at')
      .where('endpoint_id', '=', endpointId)
      .where('retry', '=', retry)
      .orderBy('due_at')
      .limit(1)
      .executeTakeFirst();
  const found = await together(endpointIds.flatMap((id) => [seek(id, 0), seek(id, 1)]));
  return new Map(
    endpointIds.flatMap((id, index) => {
      const dues = [found[2 * index]?.due_at, found[2 * index + 1]?.due_at].filter((due) => due !== undefined);
      return dues.length > 0 ? [[id, Math.min(...dues)] as const] : [];
    }),
  );
}
