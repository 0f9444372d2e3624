/** Thrown because the server is closing, so the work that the caller waits for will not run. */
export class ClosingError extends Error {
  override readonly name = 'ClosingError';

  constructor() {
    super('The server is closing.');
  }
}
