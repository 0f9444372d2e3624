/** Thrown if an import cannot continue. The message tells the reason to the person who started the import. */
export class ImportError extends Error {
  override readonly name = 'ImportError';
  /** Whether the source took too long. In that case, another read would probably take just as long. */
  readonly isTooSlow: boolean;

  constructor(message: string, { isTooSlow = false, ...options }: ErrorOptions & { isTooSlow?: boolean } = {}) {
    super(message, options);
    this.isTooSlow = isTooSlow;
  }
}
