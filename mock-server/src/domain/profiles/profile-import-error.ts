/** Thrown if an import cannot continue. The message is shown to the person who started the import. */
export class ImportError extends Error {
  override readonly name = 'ImportError';
  /** Whether the source took too long. If so, another read would probably also take too long. */
  readonly isTooSlow: boolean;

  constructor(message: string, { isTooSlow = false, ...options }: ErrorOptions & { isTooSlow?: boolean } = {}) {
    super(message, options);
    this.isTooSlow = isTooSlow;
  }
}
