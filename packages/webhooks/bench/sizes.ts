import { builtinModules } from 'node:module';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import type { Figure } from './targets.ts';

const IMPORTS = [
  ["export { verifyWebhook } from '@svc/webhooks'", 'verifyWebhook'],
  ["export { createWebhooks, memoryDedupe } from '@svc/webhooks'", 'createWebhooks, memoryDedupe'],
  ["export * from '@svc/webhooks/schemas'", '@svc/webhooks/schemas, with zod'],
  ["export * from 'zod'", 'zod'],
  ["export { Webhook } from 'standardwebhooks'", 'standardwebhooks'],
  ["export { Webhook } from 'svix'", 'svix'],
  ["export { Webhooks } from '@octokit/webhooks'", 'octokit'],
  ["export { default } from 'stripe'", 'stripe'],
  ["export { default } from 'openai'", 'openai'],
] as const;

/** What a bundle for Node, and one for browsers and Workers, grows by, minified and gzipped. Returns the figures that have a target. */
export async function printSizes(): Promise<Figure[]> {
  const sizes = await printSizesFor('node');
  await printSizesFor('browser');
  return [
    { figure: 'verifyWebhook, kB', value: sizes['verifyWebhook'] ?? Number.NaN, atMost: 2.7 },
    {
      figure: 'createWebhooks, memoryDedupe, kB',
      value: sizes['createWebhooks, memoryDedupe'] ?? Number.NaN,
      atMost: 4.9,
    },
    { figure: '/schemas with zod, kB', value: sizes['@svc/webhooks/schemas, with zod'] ?? Number.NaN, atMost: 27 },
  ];
}

async function printSizesFor(platform: 'node' | 'browser'): Promise<Record<string, number>> {
  const sizes: Record<string, number> = {};
  console.log(`Size in a bundle for ${platform === 'node' ? 'Node' : 'browsers and Workers'}, minified and gzipped`);
  for (const [contents, name] of IMPORTS) {
    const { outputFiles } = await build({
      stdin: { contents, resolveDir: import.meta.dirname },
      bundle: true,
      minify: true,
      write: false,
      format: 'esm',
      platform,
      // Some name built-in modules of Node also where there are none.
      conditions: [platform, 'import'],
      external: platform === 'node' ? [] : ['node:*', ...builtinModules],
      logLevel: 'error',
    });
    const bytes = gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length;
    sizes[name] = bytes / 1000;
    console.log(`  ${name.padEnd(42)}${(bytes / 1000).toFixed(2).padStart(10)} kB`);
  }
  console.log();
  return sizes;
}
