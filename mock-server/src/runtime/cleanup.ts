/** Closes resources in reverse order, like `AsyncDisposableStack`, which Node 22 lacks. */
export class Cleanup implements AsyncDisposable {
  #opened: (Disposable | AsyncDisposable)[] = [];

  use<Resource extends Disposable | AsyncDisposable>(resource: Resource): Resource {
    this.#opened.push(resource);
    return resource;
  }

  /** Moves all resources to a new owner. */
  move(): Cleanup {
    const owned = new Cleanup();
    owned.#opened = this.#opened;
    this.#opened = [];
    return owned;
  }

  /** Closes all resources, even if one fails. @throws the error, or an `AggregateError` if several resources fail. */
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
