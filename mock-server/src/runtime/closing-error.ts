export class ClosingError extends Error {
  override readonly name = 'ClosingError';

  constructor() {
    super('The server is closing.');
  }
}
