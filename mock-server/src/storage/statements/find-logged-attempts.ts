import { runForRows } from '../many-rows.ts';
import type { Queries } from '../port.ts';

/** Which of these attempts stand in the log already. */
export async function findLoggedAttempts(
  queries: Queries,
  attempts: readonly { id: string; delivery: { id: string } }[],
): Promise<Set<string>> {
  const rows = attempts.map(({ id, delivery }) => [delivery.id, id]);
  const found = await runForRows<{ id: string }>(queries, { delivery: 'text', id: 'text' }, rows, {
    sqlite: 'select id from delivery_attempts where delivery_id = ? and id = ?',
    postgres: (given) => `select logged.id from ${given}
      join delivery_attempts as logged on logged.delivery_id = given.delivery and logged.id = given.id`,
  });
  return new Set(found.map(({ id }) => id));
}
