import { runForRows } from '../many-rows.ts';
import type { Queries } from '../port.ts';

/** Which of these attempts stand in the log already. */
export async function findLoggedAttempts(queries: Queries, attempts: readonly { id: string }[]): Promise<Set<string>> {
  const rows = attempts.map(({ id }) => [id]);
  const found = await runForRows<{ id: string }>(queries, { id: 'text' }, rows, {
    sqlite: 'select id from delivery_attempts where id = ?',
    postgres: (given) =>
      `select delivery_attempts.id from ${given} join delivery_attempts on delivery_attempts.id = given.id`,
  });
  return new Set(found.map(({ id }) => id));
}
