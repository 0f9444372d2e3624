import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import type { Plugin } from 'vite';
import { fetchScalar } from './fetch-scalar.ts';

/** The highest quality, 11, makes the file another 2% smaller, but the compression takes four seconds longer. */
const QUALITY = 10;

/**
 * Turns off code generation in the copy of zod that Scalar contains. The page's Content-Security-Policy forbids
 * generated code.
 */
const WITHOUT_EVAL = 'globalThis.__zod_globalConfig = { jitless: true };\n';

/**
 * Adds Scalar's only file to the page's files, and adds a script element for this file to docs.html. The file is stored
 * compressed, because it is 4.4 MB. If a client does not support this compression, the server decompresses the file.
 */
export function compressedScalar(): Plugin {
  const { version, script } = fetchScalar();
  const source = WITHOUT_EVAL + script.replace(/\n\/\/# sourceMappingURL=.*\n?$/, '\n');
  const hash = createHash('sha256').update(source).digest('hex').slice(0, 8);
  const name = `assets/scalar-${version}-${hash}.js`;
  // Compress in the background, because compression takes longer than the rest of the build.
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
