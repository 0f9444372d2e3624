import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** Bundles a module from the folder of the vectors. `condition` decides which build of the package it gets. */
export async function bundleFor(condition: 'workerd' | 'browser', contents: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: fileURLToPath(new URL('../vectors', import.meta.url)) },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    conditions: [condition],
    // A customer has none of this repository's paths, which lead to the sources.
    tsconfigRaw: {},
  });
  return outputFiles[0]?.text ?? '';
}

/** A module that checks the vectors. `report()` returns the outcome; the default export is a worker that serves it. */
export const VECTORS_MODULE = `
  import * as library from '@svc/webhooks';
  import { checkVectors } from './check-vectors.ts';
  import document from './vectors.json';
  export const report = () => checkVectors(document.vectors, library);
  export default { fetch: () => Response.json(report()) };`;
