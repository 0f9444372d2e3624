import { brotliCompressSync, constants } from 'node:zlib';
import type { Plugin } from 'vite';
import { fetchScalar } from './fetch-scalar.ts';

/**
 * Puts Scalar's one file beside the page's, and a script element for it into docs.html. It is compressed, because it is
 * 4.4 MB; the server unpacks it for a client that cannot.
 */
export function compressedScalar(): Plugin {
  const { version, script } = fetchScalar();
  const name = `assets/scalar-${version}.js`;
  return {
    name: 'compressed-scalar',
    apply: 'build',
    transformIndexHtml: (_html, { path }) =>
      path === '/docs.html' ? [{ tag: 'script', attrs: { defer: true, src: `dashboard/${name}` } }] : [],
    generateBundle() {
      const withoutMap = script.replace(/\n\/\/# sourceMappingURL=.*\n?$/, '\n');
      const source = brotliCompressSync(withoutMap, {
        params: { [constants.BROTLI_PARAM_SIZE_HINT]: withoutMap.length },
      });
      this.emitFile({ type: 'asset', fileName: `${name}.br`, source });
    },
  };
}
