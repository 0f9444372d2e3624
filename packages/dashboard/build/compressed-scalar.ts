import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import type { Plugin } from 'vite';
import { fetchScalar } from './fetch-scalar.ts';

/** The highest quality, 11, saves another 2 %, but makes each first start four seconds slower. */
const QUALITY = 10;

/**
 * Puts Scalar's one file beside the page's, and a script element for it into docs.html. It is compressed, because it is
 * 4.4 MB; the server unpacks it for a client that cannot.
 */
export function compressedScalar(): Plugin {
  const { version, script } = fetchScalar();
  const name = `assets/scalar-${version}.js`;
  // It takes longer than the rest of the build, which goes on meanwhile.
  let compressing: Promise<Buffer> | undefined;
  return {
    name: 'compressed-scalar',
    apply: 'build',
    buildStart() {
      const withoutMap = script.replace(/\n\/\/# sourceMappingURL=.*\n?$/, '\n');
      const params = {
        [constants.BROTLI_PARAM_SIZE_HINT]: withoutMap.length,
        [constants.BROTLI_PARAM_QUALITY]: QUALITY,
      };
      compressing ??= promisify(brotliCompress)(withoutMap, { params });
    },
    transformIndexHtml: (_html, { path }) =>
      path === '/docs.html' ? [{ tag: 'script', attrs: { defer: true, src: `dashboard/${name}` } }] : [],
    async generateBundle() {
      const source = await compressing;
      if (source) this.emitFile({ type: 'asset', fileName: `${name}.br`, source });
    },
  };
}
