/** An import cannot go on. The message says why, and is for whoever started it. */
export class ImportError extends Error {
  override readonly name = 'ImportError';
}
