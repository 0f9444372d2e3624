/** The server is closing. No more work runs, so what the caller waits for will not happen. */
export class ClosingError extends Error {
  override readonly name = 'ClosingError';

  constructor() {
    super('The server is closing.');
  }
}
