import { defineConfig, type Options } from 'tsup';

const library = {
  entry: {
    index: 'src/index.ts',
    node: 'src/node.ts',
    fastify: 'src/fastify.ts',
    lambda: 'src/lambda.ts',
    schemas: 'src/schemas.ts',
  },
  // This name stops runtimes and bundlers from using its paths.
  tsconfig: 'tsconfig.build.json',
  format: ['esm', 'cjs'],
  target: 'es2022',
  // One class of error for all entries, even in the CommonJS build.
  splitting: true,
  // With the sources, so that a stack and a debugger show them.
  sourcemap: true,
  clean: true,
  // The runtime chooses, by the conditions of "imports" in package.json.
  // The index is one file, as each file more takes a millisecond to import: what others need of it, they import.
  external: ['#hashing', '#index'],
} satisfies Options;

/** What tsup.rest.config.ts builds. One pass writes all declarations, in a third of the time, and with shared types. */
const others = {
  diagnose: 'src/diagnose.ts',
  testing: 'src/testing.ts',
  'hashing/node': 'src/hashing/node.ts',
  'hashing/portable': 'src/hashing/portable.ts',
};

export default defineConfig([
  { ...library, dts: { entry: { ...library.entry, ...others } } },
  // What `require` loads in Node: the index with its hashing in one file. Looking up `#hashing` takes a quarter of the time.
  {
    ...library,
    entry: { 'index.node': 'src/index.ts' },
    format: 'cjs',
    external: [],
    splitting: false,
    clean: false,
  },
]);
