// For `require` in CommonJS: the build copies this file to `<entry>.cjs`, beside `<entry>.js`. Jest replaces `require` and
// `node:module`, and its versions cannot load ES modules without an option of Node. Its `Module` extends the one of Node,
// which can. It returns the ES module itself, so the types of the ES module are right (attw's rule `false-esm` expects
// others).
const replaced = require('node:module');
const original = Object.getPrototypeOf(replaced);
const { createRequire } = 'createRequire' in original ? original : replaced;

module.exports = createRequire(__filename)(__filename.replace(/\.cjs$/, '.js'));

const outside = process.getBuiltinModule('node:vm').runInThisContext('globalThis');
if (outside !== globalThis) completePlatform();

/**
 * Adds what a test lacks: Jest's jsdom has no `fetch`, and few of the classes that a client needs. Node's classes are in the
 * global object outside. `@svc/client` adds the same classes for its mock transport, but no `fetch`.
 */
function completePlatform() {
  // Jest 29 has an older `AbortController`, which forgets its reason.
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

/** Node's `Request` rejects the signals of jsdom, so this one has a signal of Node that follows them. */
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
