import { defineConfig, type Options } from 'tsup';

const library: Options = {
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
  dts: true,
  // With the sources, so that a stack and a debugger show them.
  sourcemap: true,
  clean: true,
  // The runtime chooses, by the conditions of "imports" in package.json.
  // The index is one file, as each file more takes a millisecond to import: what others need of it, they import.
  external: ['#hashing', '#index'],
};

export default defineConfig([
  library,
  // What `require` loads in Node: the index with its hashing in one file. Looking up `#hashing` takes a quarter of the time.
  {
    ...library,
    entry: { 'index.node': 'src/index.ts' },
    format: 'cjs',
    external: [],
    splitting: false,
    dts: false,
    clean: false,
  },
]);
