/** An import cannot continue. The message says why, for the person who started it. */
export class ImportError extends Error {
  override readonly name = 'ImportError';
  /** Whether the source took too long. Reading it again would take as long. */
  readonly isTooSlow: boolean;

  constructor(message: string, { isTooSlow = false, ...options }: ErrorOptions & { isTooSlow?: boolean } = {}) {
    super(message, options);
    this.isTooSlow = isTooSlow;
  }
}
