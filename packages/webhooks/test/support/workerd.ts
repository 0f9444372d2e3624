import type { VectorReport } from '../vectors/check-vectors.ts';

interface Miniflare {
  dispatchFetch(url: string): Promise<{ json(): Promise<unknown> }>;
  dispose(): Promise<void>;
}

/** Runs a bundled worker in workerd, without Node's compatibility, and gives its answer. */
export async function reportOfWorkerd(installed: NodeJS.Require, script: string): Promise<VectorReport> {
  const { Miniflare } = installed('miniflare') as { Miniflare: new (options: object) => Miniflare };
  const worker = new Miniflare({ modules: true, script, compatibilityDate: '2026-01-01' });
  try {
    const answer = await worker.dispatchFetch('http://worker.test/');
    return (await answer.json()) as VectorReport;
  } finally {
    await worker.dispose();
  }
}
