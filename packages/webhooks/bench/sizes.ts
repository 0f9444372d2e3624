import { builtinModules } from 'node:module';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import type { Figure } from './targets.ts';

/** Each entry describes a program: the import, the package to import from, and the name to print. */
const IMPORTS = [
  ['{ verifyWebhook }', '@svc/webhooks', 'verifyWebhook'],
  ['{ createWebhooks, memoryDedupe }', '@svc/webhooks', 'createWebhooks, memoryDedupe'],
  ['* as all', '@svc/webhooks/schemas', '@svc/webhooks/schemas, with zod'],
  ['* as all', 'zod', 'zod'],
  ['{ Webhook }', 'standardwebhooks', 'standardwebhooks'],
  ['{ Webhook }', 'svix', 'svix'],
  ['{ Webhooks }', '@octokit/webhooks', 'octokit'],
  ['Stripe', 'stripe', 'stripe'],
  ['OpenAI', 'openai', 'openai'],
] as const;

/**
 * Prints how many bytes an import adds to a program for Node, and for browsers and Workers. Returns the figures that
 * have a target.
 */
export async function printSizes(): Promise<Figure[]> {
  const sizes = await printSizesFor('node');
  await printSizesFor('browser');
  return [
    { figure: 'verifyWebhook, kB', value: sizes['verifyWebhook'] ?? Number.NaN, atMost: 3 },
    {
      figure: 'createWebhooks, memoryDedupe, kB',
      value: sizes['createWebhooks, memoryDedupe'] ?? Number.NaN,
      atMost: 5.5,
    },
    { figure: '/schemas with zod, kB', value: sizes['@svc/webhooks/schemas, with zod'] ?? Number.NaN, atMost: 27 },
  ];
}

async function printSizesFor(platform: 'node' | 'browser'): Promise<Record<string, number>> {
  const sizes: Record<string, number> = {};
  const target = platform === 'node' ? 'Node' : 'browsers and Workers';
  console.log(
    `What an import adds to a program for ${target}, minified and gzipped, compared with the same program without the import`,
  );
  for (const [imported, from, name] of IMPORTS) {
    const used = imported.replace(/[{}]|\* as/g, '').trim();
    const whole = await bundledBytes(`import ${imported} from '${from}'; console.log(${used})`, platform);
    // In the program without the import, declare the names as variables without a value.
    const empty = await bundledBytes(`let ${used}; console.log(${used})`, platform);
    sizes[name] = (whole - empty) / 1000;
    console.log(`  ${name.padEnd(42)}${sizes[name].toFixed(2).padStart(10)} kB`);
  }
  console.log();
  return sizes;
}

async function bundledBytes(contents: string, platform: 'node' | 'browser'): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: import.meta.dirname },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform,
    conditions: [platform, 'import'],
    // Some packages import Node's built-in modules even in their builds for browsers.
    external: platform === 'node' ? [] : ['node:*', ...builtinModules],
    logLevel: 'error',
    // Ignore the `paths` in this repository's tsconfig. These paths lead to the sources, which customers do not have.
    tsconfigRaw: {},
  });
  return gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length;
}
