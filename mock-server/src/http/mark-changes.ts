import type { OperationChanges } from '@svc/contract';
import type { Services } from './services.ts';

/**
 * Tells the dashboard and the engine what a call has changed. `changes` comes from the table of operations.
 *
 * @param ids - The path parameters and the fields of the response.
 */
export function markChanges(
  { changes: pages, endpointChanged, wakeDelivery }: Pick<Services, 'changes' | 'endpointChanged' | 'wakeDelivery'>,
  changes: OperationChanges,
  ids: object,
): void {
  const { deliveries, endpoints, ...rest }: Partial<OperationChanges> = changes;
  const idAt = (place: string): string => {
    const found = place.split('.').reduce<unknown>((at, key) => Object(at)[key], ids);
    if (typeof found !== 'string') throw new TypeError(`A call has no id at "${place}".`);
    return found;
  };
  const endpointId = endpoints && idAt(endpoints);
  pages.mark({
    ...rest,
    ...(deliveries && { deliveries: [idAt(deliveries)] }),
    ...(endpointId && { endpoints: [endpointId] }),
  });
  if (endpointId) endpointChanged(endpointId);
  if (deliveries) wakeDelivery();
}
