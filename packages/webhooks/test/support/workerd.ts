interface Miniflare {
  dispatchFetch(url: string, init?: object): Promise<{ status: number; json(): Promise<unknown> }>;
  dispose(): Promise<void>;
}

/** Starts a bundled worker in workerd, without Node's compatibility. `installed` finds miniflare. */
export function startWorker(installed: NodeJS.Require, script: string, bindings: object = {}) {
  const { Miniflare } = installed('miniflare') as { Miniflare: new (options: object) => Miniflare };
  const worker = new Miniflare({ modules: true, script, compatibilityDate: '2026-01-01', bindings });
  return {
    fetch: (url: string, init?: object) => worker.dispatchFetch(url, init),
    [Symbol.asyncDispose]: () => worker.dispose(),
  };
}
