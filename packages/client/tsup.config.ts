import { defineConfig, type Options } from 'tsup';
import manifest from './package.json' with { type: 'json' };

const both: Options = {
  entry: ['src/index.ts', 'src/schemas.ts', 'src/testing.ts'],
  target: 'es2023',
  platform: 'neutral',
  // Entries share their modules. With a copy in each, errors of one entry would not be `instanceof` those of another.
  splitting: true,
  treeshake: true,
  // The contract is private. The parts in use become part of this package, with types through `paths` in tsconfig.json.
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
  // The build for Node. package.json selects it by its `node` condition.
  { ...both, entry: { 'index.node': 'src/index.ts' }, format: 'esm', esbuildPlugins: [runKyWithTheFirstCall] },
  // ky is an ES module, and requiring it from a bundle fails at run time. So the CommonJS build contains it, minified,
  // because ky is two thirds of the installed size.
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
