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

export default defineConfig([
  { ...both, format: 'esm', dts: true, clean: true },
  // For Node, by the condition of that name in package.json: the same, but for when ky is loaded.
  {
    ...both,
    entry: { 'index.node': 'src/index.ts' },
    format: 'esm',
    esbuildPlugins: [
      {
        name: 'load ky with the first request',
        setup: ({ onResolve }) =>
          onResolve({ filter: /\/transport\.ts$/ }, ({ importer, resolveDir }) =>
            importer.endsWith('transport.node.ts') ? undefined : { path: join(resolveDir, 'transport.node.ts') },
          ),
      },
    ],
  },
  // ky is an ES module: `require` of it in a bundle breaks at run time, so it is part of the CommonJS build.
  // Minified for the installed size: ky is two thirds of it.
  {
    ...both,
    format: 'cjs',
    dts: true,
    noExternal: [/^@svc\/contract/, 'ky'],
    esbuildOptions: (options) => {
      Object.assign(options, { minify: true });
    },
  },
]);
