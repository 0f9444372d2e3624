/**
 * Thrown because the server is closing. A closing server starts no more work, so the work that the caller waits for
 * will not run.
 */
export class ClosingError extends Error {
  override readonly name = 'ClosingError';

  constructor() {
    super('The server is closing.');
  }
}
