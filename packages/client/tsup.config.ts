import { defineConfig, type Options } from 'tsup';
import manifest from './package.json' with { type: 'json' };

/** zod 3.25 has the API of zod 4 at this path, and zod 4 has it there, too. The declarations get the same path. */
const importZodFromV4: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'import zod from zod/v4',
  setup: ({ onResolve }) => onResolve({ filter: /^zod$/ }, () => ({ path: 'zod/v4', external: true })),
};

const both: Options = {
  // By name, because a missing file is an error then.
  entry: { index: 'src/index.ts', schemas: 'src/schemas.ts', testing: 'src/testing.ts' },
  target: 'es2023',
  platform: 'neutral',
  // Entries share their modules. With a copy in each, errors of one entry would not be `instanceof` those of another.
  splitting: true,
  treeshake: true,
  // The contract is private. The parts in use become part of this package, with types through `paths` in tsconfig.json.
  noExternal: [/^@svc\/contract/, /^zod$/],
  // Each map contains its sources, so that a debugger and a stack show them without the repository.
  sourcemap: true,
  define: { CLIENT_VERSION: JSON.stringify(manifest.version) },
};

/**
 * Importing ky makes Node load all of its own `fetch`, which takes ten times as long as the rest. A program that makes no
 * call need not wait for that. So this puts ky and transport.ts into a function that the first call runs. It is not an
 * `import()`, because bundlers need more code for one, and because Jest has none in CommonJS.
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

/** Leaves the transport out. For ES modules, package.json says as `#transport` which file each runtime gets. */
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
  // The transport for Node and for CommonJS. It contains ky, which is an ES module, so requiring it from a bundle fails at
  // run time. Its source map would only map ky to itself.
  {
    ...both,
    entry: { transport: 'src/transport.ts' },
    format: 'cjs',
    noExternal: ['ky'],
    esbuildPlugins: [runKyWithTheFirstCall],
    sourcemap: false,
  },
]);
