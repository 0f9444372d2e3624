import { runForRows } from '../many-rows.ts';
import type { Queries } from '../port.ts';

/** Which of these attempts are already in the log, and whether as late ones. */
export async function findLoggedAttempts(
  queries: Queries,
  attempts: readonly { id: string; delivery: { id: string } }[],
): Promise<Map<string, boolean>> {
  const rows = attempts.map(({ id, delivery }) => [delivery.id, id]);
  const found = await runForRows<{ id: string; late: number }>(queries, { delivery: 'text', id: 'text' }, rows, {
    sqlite: 'select id, late from delivery_attempts where delivery_id = ? and id = ?',
    postgres: (given) => `select logged.id, logged.late from ${given}
      join delivery_attempts as logged on logged.delivery_id = given.delivery and logged.id = given.id`,
  });
  return new Map(found.map(({ id, late }) => [id, late === 1]));
}
