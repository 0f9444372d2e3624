import { UsageError } from './errors.ts';

/** Throws a {@link UsageError} unless something holds. The message says what must hold, or what does not. */
export function check(holds: unknown, message: string, fields?: object): asserts holds {
  if (!holds) throw new UsageError(message, fields);
}
