import { type Operation, type OperationName, operations } from '@svc/contract';
import type { Changed } from '../runtime/changes.ts';

/** What a call of an operation changed, or `undefined` if it only read. */
export function changesOf(
  name: OperationName,
  params: Readonly<Record<string, string>>,
  response: object,
): Changed | undefined {
  const { changes }: Operation = operations[name];
  if (!changes || changes === 'nothing') return undefined;
  const { deliveries, endpoints, ...rest }: Partial<typeof changes> = changes;
  const idAt = (place: string): string => {
    const found = place.split('.').reduce<unknown>((at, key) => Object(at)[key], { ...params, ...response });
    if (typeof found !== 'string') throw new TypeError(`A call of ${name} has no id at "${place}".`);
    return found;
  };
  return {
    ...rest,
    ...(deliveries && { deliveries: [idAt(deliveries)] }),
    ...(endpoints && { endpoints: [idAt(endpoints)] }),
  };
}
