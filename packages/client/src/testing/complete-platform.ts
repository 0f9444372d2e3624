/** The parts of the web platform that the client and the mock transport need. With jsdom, Jest has none of the first five. */
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
 * Adds the classes that the environment of a test lacks. Jest runs tests with jsdom in a separate global object. Node's
 * classes are in the outer global object. It replaces only the `AbortController` of Jest 29, which forgets its reason.
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

/** Node's `Request`. It rejects jsdom's signals, so this class passes it a Node signal that follows the given one. */
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
