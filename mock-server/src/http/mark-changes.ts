import type { OperationChanges } from '@svc/contract';
import type { Changed } from '../runtime/changes.ts';
import type { Services } from './services.ts';

/**
 * Informs the dashboard's pages and the engine about the changes of a call. The table of operations says what a call
 * changes, and which fields of `ids` (path parameters and response) contain the ids of the changed objects.
 */
export function markChanges(
  { changes: pages, endpointChanged, wakeDelivery }: Pick<Services, 'changes' | 'endpointChanged' | 'wakeDelivery'>,
  changes: OperationChanges,
  ids: object,
): void {
  const changed = changedBy(changes, ids);
  pages.mark(changed);
  for (const id of changed.endpoints ?? []) endpointChanged(id);
  if (changed.deliveries) wakeDelivery();
}

function changedBy(changes: OperationChanges, ids: object) {
  const { deliveries, endpoints, ...rest }: Partial<OperationChanges> = changes;
  const idAt = (place: string): string => {
    const found = place.split('.').reduce<unknown>((at, key) => Object(at)[key], ids);
    if (typeof found !== 'string') throw new TypeError(`A call has no id at "${place}".`);
    return found;
  };
  return {
    ...rest,
    ...(deliveries && { deliveries: [idAt(deliveries)] }),
    ...(endpoints && { endpoints: [idAt(endpoints)] }),
  } satisfies Changed;
}
