/**
 * The classes of the web platform that the client and the mock transport need. In Jest with jsdom, the first five of
 * these classes are missing.
 */
const PARTS = [
  'Headers',
  'Request',
  'Response',
  'ReadableStream',
  'TextEncoder',
  'AbortController',
  'AbortSignal',
] as const;

type Part = (typeof PARTS)[number];
type Outside = Pick<typeof globalThis, Part>;
type Inside = { [Name in Part]?: { prototype: object } } & { process?: NodeProcess };

interface NodeProcess {
  getBuiltinModule?(name: 'node:vm'): { runInThisContext(code: string): Outside };
}

/**
 * Adds the classes that a test environment lacks. Jest with jsdom runs tests with a separate global object. Node's
 * classes are in the outer global object, so this function takes them from there. In Jest 29, it also replaces
 * `AbortController` and `AbortSignal`, because Jest's versions do not keep the reason for an abort.
 */
export function completePlatform(): void {
  const inside = globalThis as Inside;
  const isOld = !inside.AbortSignal || !('throwIfAborted' in inside.AbortSignal.prototype);
  const missing = PARTS.filter((name) => !inside[name] || (isOld && name.startsWith('Abort')));
  if (missing.length === 0) return;
  const outside = inside.process?.getBuiltinModule?.('node:vm').runInThisContext('globalThis');
  if (!outside) return;
  for (const name of missing) inside[name] = name === 'Request' ? requestFor(outside) : outside[name];
}

/**
 * Returns a subclass of Node's `Request` that accepts jsdom's signals, which Node's `Request` rejects. The subclass
 * replaces a given signal with a Node signal that is aborted at the same time.
 */
function requestFor({ Request, AbortController }: Outside): typeof globalThis.Request {
  return class extends Request {
    constructor(input: string | URL | Request, init: RequestInit = {}) {
      const signal = init.signal ?? (input instanceof Request ? input.signal : undefined);
      const controller = new AbortController();
      const follow = () => controller.abort(signal?.reason);
      if (signal?.aborted) follow();
      signal?.addEventListener('abort', follow, { once: true });
      super(input, { ...init, signal: controller.signal });
    }
  };
}
