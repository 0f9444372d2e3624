/** Throws `TypeError` with the message if `holds` is falsy. */
export function checkOption(holds: unknown, message: string): void {
  if (!holds) throw new TypeError(message);
}

export function checkFunction(name: string, value: unknown): void {
  if (typeof value !== 'function') throw new TypeError(`${name} must be a function`);
}

/**
 * Throws `TypeError` for an option that does not exist, because an untyped program would not notice this mistake. The
 * message suggests an option that begins with the unknown name. If there is no such option, the message suggests
 * `otherwise`. If `otherwise` is empty, the function ignores an unknown name unless a known option begins with that
 * name.
 */
export function checkNames(options: object, known: readonly string[], otherwise = known.join(', ')): void {
  for (const name of Object.keys(options)) {
    const meant = !known.includes(name) && (known.find((one) => one.startsWith(name)) ?? otherwise);
    if (meant) throw new TypeError(`Unknown option ${name}. Did you mean ${meant}?`);
  }
}

export const isString = (value: unknown): value is string => typeof value === 'string';
