import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';
import type { Plugin } from 'vite';

/**
 * Puts Scalar's one file beside the page's, and a script element for it into docs.html. It is compressed, because it is
 * 4.4 MB; the server unpacks it for a client that cannot.
 */
export function compressedScalar(): Plugin {
  const folder = dirname(fileURLToPath(import.meta.resolve('@scalar/api-reference')));
  const { version } = JSON.parse(readFileSync(join(folder, '../package.json'), 'utf8')) as { version: string };
  const name = `assets/scalar-${version}.js`;
  return {
    name: 'compressed-scalar',
    apply: 'build',
    transformIndexHtml: (_html, { path }) =>
      path === '/docs.html' ? [{ tag: 'script', attrs: { defer: true, src: `dashboard/${name}` } }] : [],
    generateBundle() {
      const script = readFileSync(join(folder, 'browser/standalone.js'), 'utf8');
      const withoutMap = script.replace(/\n\/\/# sourceMappingURL=.*\n?$/, '\n');
      const source = brotliCompressSync(withoutMap, {
        params: { [constants.BROTLI_PARAM_SIZE_HINT]: withoutMap.length },
      });
      this.emitFile({ type: 'asset', fileName: `${name}.br`, source });
    },
  };
}
