import { UsageError } from './errors.ts';

/** Throws a {@link UsageError} unless `holds` is truthy. The `message` says what must be true, or what is wrong. */
export function check(holds: unknown, message: string, fields?: object): asserts holds {
  if (!holds) throw new UsageError(message, fields);
}
