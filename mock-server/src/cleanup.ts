/**
 * Closes what was opened, in the opposite order. It does what the runtime's `AsyncDisposableStack` does: Node 22 does
 * not have that.
 */
export class Cleanup implements AsyncDisposable {
  #opened: (Disposable | AsyncDisposable)[] = [];

  /** Adds something to close, and returns it. */
  use<Resource extends Disposable | AsyncDisposable>(resource: Resource): Resource {
    this.#opened.push(resource);
    return resource;
  }

  /** Hands everything over to a new owner. Disposing this one then closes nothing. */
  move(): Cleanup {
    const owned = new Cleanup();
    owned.#opened = this.#opened;
    this.#opened = [];
    return owned;
  }

  /** @throws what failed, once everything else is closed: an `AggregateError` if it is more than one error. */
  async [Symbol.asyncDispose](): Promise<void> {
    const errors: unknown[] = [];
    for (const resource of this.#opened.splice(0).reverse()) {
      try {
        await (Symbol.asyncDispose in resource ? resource[Symbol.asyncDispose]() : resource[Symbol.dispose]());
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 1) throw new AggregateError(errors, 'Several resources failed to close.');
    if (errors.length === 1) throw errors[0];
  }
}
