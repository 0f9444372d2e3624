import { closest } from './closest.ts';
import type { Scope } from './context.ts';
import { UsageError } from './exit.ts';

/**
 * Rejects a misspelled event type, because a filter for such a type would never find anything.
 *
 * @throws {@link UsageError} if the server has no event type with this name.
 */
export async function checkEventType(svc: Scope, type: string | undefined): Promise<void> {
  if (type === undefined) return;
  const types: string[] = [];
  for await (const known of svc.webhooks.endpoints.eventTypes()) types.push(known.type);
  if (types.includes(type)) return;
  const meant = closest(type, types);
  throw new UsageError(
    `There is no event type "${type}". ${meant ? `Did you mean: ${meant}` : `The types are: ${types.join(', ')}.`}`,
  );
}
