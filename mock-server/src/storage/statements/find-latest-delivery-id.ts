import type { Queries } from '../port.ts';

/** The highest delivery id, or an empty text if there is no delivery. Reads the end of the primary key. */
export async function findLatestDeliveryId(queries: Queries): Promise<string> {
  const row = await queries.selectFrom('deliveries').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst();
  return row?.id ?? '';
}
