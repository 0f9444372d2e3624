/** Throws `TypeError` with this message if an option is wrong. */
export function checkOption(holds: unknown, message: string): void {
  if (!holds) throw new TypeError(message);
}

/** Throws `TypeError` if an option is not a function. */
export function checkFunction(name: string, value: unknown): void {
  if (typeof value !== 'function') throw new TypeError(`${name} must be a function`);
}

/** Throws `TypeError` for an option that does not exist. A program without types would lose it silently. */
export function checkNames(options: object, known: readonly string[]): void {
  for (const name of Object.keys(options)) {
    if (known.includes(name)) continue;
    const meant = known.find((one) => one.startsWith(name)) ?? known.join(', ');
    throw new TypeError(`Unknown option ${name}. Did you mean ${meant}?`);
  }
}
