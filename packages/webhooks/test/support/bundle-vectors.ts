import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** Bundles the vectors with their check, as a bundler for `condition` resolves the package. The module's default export is the report. */
export async function bundleVectors(condition: 'workerd' | 'browser'): Promise<string> {
  const { outputFiles } = await build({
    stdin: {
      contents: `
        import * as library from '@svc/webhooks';
        import { checkVectors } from './check-vectors.ts';
        import document from './vectors.json';
        export const report = () => checkVectors(document.vectors, library);
        export default { fetch: () => Response.json(report()) };`,
      resolveDir: fileURLToPath(new URL('../vectors', import.meta.url)),
    },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    conditions: [condition],
  });
  return outputFiles[0]?.text ?? '';
}
