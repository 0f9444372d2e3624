import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** Bundles a module beside the vectors, as a bundler for `condition` resolves the package. */
export async function bundleFor(condition: 'workerd' | 'browser', contents: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: fileURLToPath(new URL('../vectors', import.meta.url)) },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    conditions: [condition],
  });
  return outputFiles[0]?.text ?? '';
}

/** The vectors with their check: `report()` gives the outcome, and so does the default export, a worker. */
export const VECTORS_MODULE = `
  import * as library from '@svc/webhooks';
  import { checkVectors } from './check-vectors.ts';
  import document from './vectors.json';
  export const report = () => checkVectors(document.vectors, library);
  export default { fetch: () => Response.json(report()) };`;
