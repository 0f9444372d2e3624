import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import type { Plugin } from 'vite';
import { fetchScalar } from './fetch-scalar.ts';

/** The highest quality, 11, saves another 2 %, but makes each first start four seconds slower. */
const QUALITY = 10;

/** Scalar contains zod, which would try to compile code. The page's Content-Security-Policy forbids that. */
const WITHOUT_EVAL = 'globalThis.__zod_globalConfig = { jitless: true };\n';

/**
 * Puts Scalar's one file next to the page's, and a script element for it into docs.html. It is compressed, because it
 * is 4.4 MB; the server unpacks it for a client that cannot.
 */
export function compressedScalar(): Plugin {
  const { version, script } = fetchScalar();
  const source = WITHOUT_EVAL + script.replace(/\n\/\/# sourceMappingURL=.*\n?$/, '\n');
  const hash = createHash('sha256').update(source).digest('hex').slice(0, 8);
  const name = `assets/scalar-${version}-${hash}.js`;
  // It takes longer than the rest of the build, which continues meanwhile.
  let compressing: Promise<Buffer> | undefined;
  return {
    name: 'compressed-scalar',
    apply: 'build',
    buildStart() {
      const params = {
        [constants.BROTLI_PARAM_SIZE_HINT]: source.length,
        [constants.BROTLI_PARAM_QUALITY]: QUALITY,
      };
      compressing ??= promisify(brotliCompress)(source, { params });
    },
    transformIndexHtml: (_html, { path }) =>
      path === '/docs.html' ? [{ tag: 'script', attrs: { defer: true, src: `dashboard/${name}` } }] : [],
    async generateBundle() {
      const compressed = await compressing;
      if (compressed) this.emitFile({ type: 'asset', fileName: `${name}.br`, source: compressed });
    },
  };
}
