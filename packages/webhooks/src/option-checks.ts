/** Throws `TypeError` with this message if an option is wrong. */
export function checkOption(holds: unknown, message: string): void {
  if (!holds) throw new TypeError(message);
}

/** Throws `TypeError` if an option is not a function. */
export function checkFunction(name: string, value: unknown): void {
  if (typeof value !== 'function') throw new TypeError(`${name} must be a function`);
}
