import { defineConfig, type Options } from 'tsup';
import manifest from './package.json' with { type: 'json' };

/**
 * At the path `zod/v4`, both zod 3.25 and zod 4 have the API of zod 4. The type declarations also import zod from this
 * path.
 */
const importZodFromV4: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'import zod from zod/v4',
  setup: ({ onResolve }) => onResolve({ filter: /^zod$/ }, () => ({ path: 'zod/v4', external: true })),
};

const both: Options = {
  // Name each file, so that the build fails if a file is missing.
  entry: { index: 'src/index.ts', schemas: 'src/schemas.ts', testing: 'src/testing.ts' },
  target: 'es2023',
  platform: 'neutral',
  // All entries share one copy of each module. With a copy in each entry, `instanceof` would fail for the errors of
  // another entry.
  splitting: true,
  treeshake: true,
  // The contract is private, so the build copies the parts that the client uses. The compiler finds the types of these
  // parts through `paths` in tsconfig.json.
  noExternal: [/^@svc\/contract/, /^zod$/],
  // Each source map contains its sources, so that debuggers and stack traces show the sources without the repository.
  sourcemap: true,
  define: { CLIENT_VERSION: JSON.stringify(manifest.version) },
};

/**
 * When ky is imported, Node loads its own `fetch`, which takes ten times as long as importing the rest of this package.
 * So this plugin puts ky and transport.ts into a function that the first call runs. The function does not use
 * `import()`, because bundlers need more code for `import()`, and Jest does not support `import()` in CommonJS.
 */
const runKyWithTheFirstCall: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'run ky with the first call',
  setup: ({ esbuild, onLoad }) =>
    onLoad({ filter: /\/src\/transport\.ts$/ }, async ({ path }) => {
      const { outputFiles } = await esbuild.build({
        stdin: { contents: `import { transmit } from '${path}'; load(transmit);`, resolveDir: import.meta.dirname },
        bundle: true,
        write: false,
        legalComments: 'none',
        format: 'esm',
        target: 'es2023',
      });
      const body = outputFiles[0]?.text.replace('load(transmit);', 'return transmit;');
      return {
        contents: `let loaded;
          export const transmit = (...args) => (loaded ??= load())(...args);
          function load() {
            if (!globalThis.TextEncoder) throw new Error('No TextEncoder: use jest-fixed-jsdom');
            ${body}
          }`,
      };
    }),
};

/**
 * Leaves the transport out of the bundle. For ES modules, `#transport` in package.json names each runtime's transport.
 */
const leaveTransportOut: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'leave the transport out',
  setup: ({ initialOptions, onResolve }) => {
    const path = initialOptions.define?.['TSUP_FORMAT'] === '"esm"' ? '#transport' : './transport.cjs';
    onResolve({ filter: /\/transport\.ts$/ }, () => ({ path, external: true }));
  },
};

export default defineConfig([
  {
    ...both,
    format: ['esm', 'cjs'],
    dts: true,
    clean: true,
    esbuildPlugins: [importZodFromV4, leaveTransportOut],
  },
  { ...both, entry: { transport: 'src/transport.ts' }, format: 'esm' },
  // The transport for Node and for CommonJS. This file contains ky, because ky is an ES module, and a bundle that
  // requires ky fails at run time. The file has no source map, because the map would map ky's code only to the same
  // code.
  {
    ...both,
    entry: { transport: 'src/transport.ts' },
    format: 'cjs',
    noExternal: ['ky'],
    esbuildPlugins: [runKyWithTheFirstCall],
    sourcemap: false,
  },
]);
