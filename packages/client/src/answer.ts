import { ResponseError } from './errors.ts';
import type { Exchange } from './exchange.ts';
import type { Operation } from './sender.ts';

const LISTS = /^list|^search$/;

import type { Settings } from './settings.ts';

/** Takes the data of an operation out of its answer; throws {@link ResponseError}. */
export async function readAnswer<Data>(
  settings: Settings,
  { operation, pick }: Pick<Operation, 'operation' | 'pick'>,
  { text, status, requestId, attempts }: Exchange,
): Promise<Data> {
  // An answer that carries nothing is not looked at, so that a 204 will do.
  if (pick === null) return undefined as Data;
  const fail = (message: string, issues?: readonly unknown[]) =>
    Object.assign(new ResponseError(message, { status, requestId, ...(issues && { issues }) }), {
      operation,
      attempts,
    });
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw fail('The answer is not JSON');
  }
  const { validate, logger } = settings;
  const schema = operation === 'follow' ? undefined : validate?.schemas[operation];
  if (schema) {
    const { issues } = await schema['~standard'].validate(json);
    if (issues) {
      if (validate?.onInvalid === 'throw') throw fail('The answer failed validation', issues);
      const fields = { operation, requestId, issues };
      logger?.warn
        ? logger.warn('an answer failed validation', fields)
        : console.warn('an answer failed validation', fields);
    }
  }
  const data = pick ? (json as Record<string, unknown> | null)?.[pick] : json;
  const whole = !LISTS.test(operation) || Array.isArray((data as { data?: unknown } | null)?.data);
  if (typeof data !== 'object' || data === null || !whole) throw fail('The answer has another shape than documented');
  return data as Data;
}
