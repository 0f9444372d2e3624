/** An import cannot continue. The message tells the person who started it why. */
export class ImportError extends Error {
  override readonly name = 'ImportError';
}
