/** Throws `TypeError` with this message unless an option is what it should be. */
export function checkOption(holds: unknown, message: string): void {
  if (!holds) throw new TypeError(message);
}

/** Checks an option that is a function. */
export function checkFunction(name: string, value: unknown): void {
  if (typeof value !== 'function') throw new TypeError(`${name} must be a function`);
}
