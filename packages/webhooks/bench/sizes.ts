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

/** What a bundle for Node grows by, minified and gzipped. */
export async function printSizes(): Promise<void> {
  console.log('Size in a bundle for Node, minified and gzipped');
  for (const [contents, name] of IMPORTS) {
    const { outputFiles } = await build({
      stdin: { contents, resolveDir: import.meta.dirname },
      bundle: true,
      minify: true,
      write: false,
      format: 'esm',
      platform: 'node',
      logLevel: 'error',
    });
    const bytes = gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length;
    console.log(`  ${name.padEnd(42)}${(bytes / 1000).toFixed(2).padStart(10)} kB`);
  }
}
