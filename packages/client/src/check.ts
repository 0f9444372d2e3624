import { UsageError } from './errors.ts';

/** Throws a {@link UsageError} unless `holds` is truthy. The `message` says what must be true, or what is wrong. */
export function check(holds: unknown, message: string, fields?: object): asserts holds {
  if (!holds) throw new UsageError(message, fields);
}

/** Throws a {@link UsageError} unless `value` is a number of 0 or more. */
export function checkNumber(name: string, value: number): void {
  check(value === Math.abs(value), `${name} must be a number, 0 or more`);
}
