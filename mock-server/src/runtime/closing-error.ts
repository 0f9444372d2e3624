/** The server is closing: nothing is run any more, and what was to be waited for does not come. */
export class ClosingError extends Error {
  override readonly name = 'ClosingError';

  constructor() {
    super('The server is closing.');
  }
}
