export class ClosingError extends Error {
  override readonly name = 'ClosingError';
  /** Whether the clock may have moved part of the way. */
  readonly movedClock: boolean;

  constructor({ movedClock = false } = {}) {
    super('The server is closing.');
    this.movedClock = movedClock;
  }
}
