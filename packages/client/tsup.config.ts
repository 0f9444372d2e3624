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
