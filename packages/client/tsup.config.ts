import { defineConfig, type Options } from 'tsup';
import manifest from './package.json' with { type: 'json' };

const both: Options = {
  entry: ['src/index.ts', 'src/schemas.ts', 'src/testing.ts'],
  target: 'es2023',
  platform: 'neutral',
  // Entries share their modules: with a copy in each, errors of one would not be `instanceof` those of another.
  splitting: true,
  treeshake: true,
  // The contract is private: what is used of it becomes part of this package, its types through `paths` in tsconfig.json.
  noExternal: [/^@svc\/contract/],
  // The interfaces are the documentation; maps would double the installed size.
  sourcemap: false,
  define: { CLIENT_VERSION: JSON.stringify(manifest.version) },
};

/**
 * Importing ky makes Node load all of its own `fetch`, which takes ten times as long as the rest. A program that makes no
 * call need not wait for that. So this puts transport.ts and ky into a function that the first call runs. It is not an
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
          function load() { ${body} }`,
      };
    }),
};

export default defineConfig([
  { ...both, format: 'esm', dts: true, clean: true },
  // The build for Node, which package.json selects by its condition of that name.
  { ...both, entry: { 'index.node': 'src/index.ts' }, format: 'esm', esbuildPlugins: [runKyWithTheFirstCall] },
  // ky is an ES module: `require` of it in a bundle breaks at run time, so it is part of the CommonJS build.
  // Minified for the installed size: ky is two thirds of it.
  {
    ...both,
    format: 'cjs',
    dts: true,
    noExternal: [/^@svc\/contract/, 'ky'],
    esbuildPlugins: [runKyWithTheFirstCall],
    esbuildOptions: (options) => {
      Object.assign(options, { minify: true });
    },
  },
]);
