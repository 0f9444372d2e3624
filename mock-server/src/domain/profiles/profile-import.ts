export type { ImportedProfiles as ImportResult } from '@svc/contract/control/resources';

/** `ndjson`: one profile on each line. `json`: an array of profiles. */
export type ImportFormat = 'ndjson' | 'json';

/** Thrown if an import cannot continue. The person who started the import sees the message. */
export class ImportError extends Error {
  override readonly name = 'ImportError';
  /** Whether the source took too long. If so, another read would probably take too long as well. */
  readonly isTooSlow: boolean;

  constructor(message: string, { isTooSlow = false, ...options }: ErrorOptions & { isTooSlow?: boolean } = {}) {
    super(message, options);
    this.isTooSlow = isTooSlow;
  }
}
