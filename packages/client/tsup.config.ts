import { join } from 'node:path';
import { defineConfig, type Options } from 'tsup';

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
};

/** Importing ky makes Node load all of its own `fetch`. A program that makes no call need not wait for that. */
const loadKyWithTheFirstCall: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'load ky with the first call',
  setup: ({ onResolve }) =>
    onResolve({ filter: /\/transport\.ts$/ }, ({ importer, resolveDir }) =>
      importer.endsWith('transport.node.ts') ? undefined : { path: join(resolveDir, 'transport.node.ts') },
    ),
};

export default defineConfig([
  { ...both, format: 'esm', dts: true, clean: true },
  // The build for Node, which package.json selects by its condition of that name.
  { ...both, noExternal: [/^@svc\/contract/, 'ky'], entry: { 'index.node': 'src/index.ts' }, format: 'esm', esbuildPlugins: [loadKyWithTheFirstCall] },
  // ky is an ES module: `require` of it in a bundle breaks at run time, so it is part of the CommonJS build.
  // Minified for the installed size: ky is two thirds of it.
  {
    ...both,
    format: 'cjs',
    dts: true,
    noExternal: [/^@svc\/contract/, 'ky'],
    esbuildPlugins: [loadKyWithTheFirstCall],
    plugins: [
      {
        name: 'require instead of import()',
        // Jest runs CommonJS without import().
        renderChunk: (code) => ({
          code: code.replace(/\bimport\((["']\.[^)]+)\)/g, 'Promise.resolve().then(()=>require($1))'),
        }),
      },
    ],
    esbuildOptions: (options) => {
      Object.assign(options, { minify: true });
    },
  },
]);
