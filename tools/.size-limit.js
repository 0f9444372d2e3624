// Each size is the size of a minified and gzipped ES module, as in a customer's bundle. `npm run check:size` checks the
// limits. `noPaths` ignores the `paths` in this repository's tsconfig, because these `paths` lead to the sources, which
// customers do not have.
const noPaths = { tsconfigRaw: {} };
const portable = (config) => ({
  ...config,
  ...noPaths,
  format: 'esm',
  platform: 'browser',
  conditions: ['browser', 'import'],
});
const node = (config) => ({ ...config, ...noPaths, format: 'esm', platform: 'node', conditions: ['node', 'import'] });

export default [
  {
    name: '@svc/client, full client with ky',
    path: '../packages/client/dist/index.js',
    import: '{ createClient }',
    modifyEsbuildConfig: portable,
    limit: '16.5 kB',
    gzip: true,
  },
  {
    name: '@svc/client, full client with ky (Node build)',
    path: '../packages/client/dist/index.js',
    import: '{ createClient }',
    modifyEsbuildConfig: node,
    // In this build, ky is inside a function, so gzip compresses ky less. Nobody downloads this build, because only
    // bundles for Node use it.
    limit: '16.75 kB',
    gzip: true,
  },
  {
    name: '@svc/client, own code',
    path: '../packages/client/dist/index.js',
    import: '{ createClient }',
    ignore: ['ky'],
    modifyEsbuildConfig: portable,
    limit: '8 kB',
    gzip: true,
  },
  {
    name: '@svc/client/schemas, with zod',
    path: '../packages/client/dist/schemas.js',
    modifyEsbuildConfig: portable,
    limit: '33 kB',
    gzip: true,
  },
  {
    name: '@svc/webhooks, verifyWebhook (Node build)',
    path: '../packages/webhooks/dist/index.js',
    import: '{ verifyWebhook }',
    modifyEsbuildConfig: node,
    limit: '3 kB',
    gzip: true,
  },
  {
    name: '@svc/webhooks, createWebhooks with memoryDedupe (Node build)',
    path: '../packages/webhooks/dist/index.js',
    import: '{ createWebhooks, memoryDedupe }',
    modifyEsbuildConfig: node,
    // The target is 5.5 kB. The limit is higher because of the code that prevents event types from controlling a
    // terminal.
    limit: '5.52 kB',
    gzip: true,
  },
  {
    name: '@svc/webhooks, verifyWebhook (portable build, with standardwebhooks)',
    path: '../packages/webhooks/dist/index.js',
    import: '{ verifyWebhook }',
    modifyEsbuildConfig: portable,
    limit: '7.5 kB',
    gzip: true,
  },
  {
    name: '@svc/webhooks, createWebhooks with memoryDedupe (portable build, with standardwebhooks)',
    path: '../packages/webhooks/dist/index.js',
    import: '{ createWebhooks, memoryDedupe }',
    modifyEsbuildConfig: portable,
    limit: '10.1 kB',
    gzip: true,
  },
  {
    name: '@svc/webhooks/schemas, with zod',
    path: '../packages/webhooks/dist/schemas.js',
    modifyEsbuildConfig: portable,
    limit: '27 kB',
    gzip: true,
  },
];
