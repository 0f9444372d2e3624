// This file makes `require` work in CommonJS. The build copies this file to `<entry>.cjs`, next to `<entry>.js`. Jest
// replaces `require` and `node:module` with versions that cannot load ES modules without a Node option. But Jest's
// `Module` extends Node's `Module`, which can load ES modules. This file exports the ES module itself, so the types of
// the ES module are also correct for `require` (attw's rule `false-esm` expects other types).
const replaced = require('node:module');
const original = Object.getPrototypeOf(replaced);
const { createRequire } = 'createRequire' in original ? original : replaced;

module.exports = createRequire(__filename)(__filename.replace(/\.cjs$/, '.js'));

const outside = process.getBuiltinModule('node:vm').runInThisContext('globalThis');
if (outside !== globalThis) completePlatform();

/**
 * Adds the web APIs that a test lacks: Jest's jsdom has no `fetch`, and only a few of the classes that a client needs.
 * This function takes `fetch` and these classes from Node's own global object, outside jsdom. For its mock transport,
 * `@svc/client` adds the same classes, but does not add `fetch`.
 */
function completePlatform() {
  // Jest 29 has an older `AbortController`, which does not keep the reason for an abort.
  if (!globalThis.AbortSignal?.prototype.throwIfAborted) {
    const { AbortController, AbortSignal } = outside;
    Object.assign(globalThis, { AbortController, AbortSignal });
  }
  const { Headers, Response, ReadableStream, TextEncoder } = outside;
  const Request = requestWithOwnSignal();
  const fetch = (input, init) => outside.fetch(new Request(input, init));
  for (const [name, part] of Object.entries({ Headers, Request, Response, ReadableStream, TextEncoder, fetch })) {
    globalThis[name] ??= part;
  }
}

/** Node's `Request` rejects jsdom's signals, so this class passes a Node signal that aborts with jsdom's signal. */
function requestWithOwnSignal() {
  return class Request extends outside.Request {
    constructor(input, init = {}) {
      const signal = init.signal ?? (input instanceof outside.Request ? input.signal : undefined);
      const controller = new outside.AbortController();
      const follow = () => controller.abort(signal.reason);
      if (signal?.aborted) follow();
      signal?.addEventListener('abort', follow, { once: true });
      super(input, { ...init, signal: controller.signal });
    }
  };
}
