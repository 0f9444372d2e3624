import { defineConfig, type Options } from 'tsup';

const library = {
  entry: {
    index: 'src/index.ts',
    node: 'src/node.ts',
    fastify: 'src/fastify.ts',
    lambda: 'src/lambda.ts',
    schemas: 'src/schemas.ts',
  },
  // The file is not called `tsconfig.json`, so that runtimes and bundlers do not use its `paths`.
  tsconfig: 'tsconfig.build.json',
  format: ['esm', 'cjs'],
  target: 'es2022',
  // Share code between the entries, so that all entries use the same error class, even in the CommonJS build.
  splitting: true,
  // Source maps contain the sources, so that stack traces and debuggers show the sources.
  sourcemap: true,
  clean: true,
  // The runtime chooses the file for `#hashing`, based on the conditions of "imports" in package.json. `diagnose` and
  // `testing` import `#index`, not the index's source files, so that the index stays a single file. Each additional
  // file takes a millisecond to import.
  external: ['#hashing', '#index'],
} satisfies Options;

/**
 * The entries that tsup.rest.config.ts builds. This configuration writes only the declarations of these entries,
 * because a single pass for all declarations is three times as fast and shares the types.
 */
const others = {
  diagnose: 'src/diagnose.ts',
  testing: 'src/testing.ts',
  'hashing/node': 'src/hashing/node.ts',
  'hashing/portable': 'src/hashing/portable.ts',
};

export default defineConfig([
  { ...library, dts: { entry: { ...library.entry, ...others } } },
  // The file that `require` loads in Node. The file contains the index and the hashing code, because looking up
  // `#hashing` takes a quarter of the loading time.
  {
    ...library,
    entry: { 'index.node': 'src/index.ts' },
    format: 'cjs',
    external: [],
    splitting: false,
    clean: false,
  },
]);
