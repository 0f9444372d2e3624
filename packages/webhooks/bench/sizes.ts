import { builtinModules } from 'node:module';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const IMPORTS = [
  ["export { verifyWebhook } from '@svc/webhooks'", 'verifyWebhook'],
  ["export { createWebhooks } from '@svc/webhooks'", 'createWebhooks'],
  ["export { Webhook } from 'standardwebhooks'", 'standardwebhooks'],
  ["export { Webhook } from 'svix'", 'svix'],
  ["export { Webhooks } from '@octokit/webhooks'", 'octokit'],
  ["export { default } from 'stripe'", 'stripe'],
  ["export { default } from 'openai'", 'openai'],
] as const;

/** What a bundle for Node, and one for browsers and Workers, grows by, minified and gzipped. */
export async function printSizes(): Promise<void> {
  await printSizesFor('node');
  await printSizesFor('browser');
}

async function printSizesFor(platform: 'node' | 'browser'): Promise<void> {
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
      external: platform === 'node' ? [] : ['node:*', ...builtinModules],
      logLevel: 'error',
    });
    const bytes = gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length;
    console.log(`  ${name.padEnd(42)}${(bytes / 1000).toFixed(2).padStart(10)} kB`);
  }
  console.log();
}
