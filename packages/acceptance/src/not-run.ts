import type { GuideBlock } from './guide.ts';

/**
 * Maps each page to the code blocks that no test runs exactly as written. Each entry has the beginning of a block, and
 * the reason why no test runs the block.
 */
export const NOT_RUN: Readonly<Record<string, readonly (readonly [begins: string, why: string])[]>> = {
  'README.md': [
    ['npm ci && npm run example', 'quickstart.test.ts runs the second command.'],
    ['npm ci && npm start', 'start.test.ts runs the second command.'],
  ],
  'docs/index.md': [['npm ci && npm run example', 'The README has the same block.']],
  'docs/what-it-is.md': [['npm ci && npm run example', 'The README has the same block.']],
  'docs/start.md': [['', 'The newcomer test reads this page on the built site, and performs its steps.']],
  'docs/guides/connect-your-framework.md': [
    ['import { Module }', 'The block is compiled. The tests of @svc/webhooks run the same application.'],
    ['import { Controller,', 'The block is compiled. The tests of @svc/webhooks run the same controller.'],
  ],
  'docs/guides/recipes.md': [['import { Inject,', 'A test compiles the block, but no test runs the block.']],
  'docs/guides/customize-the-client.md': [
    ['npm install zod', 'The command installs a third-party package.'],
    ['NODE_USE_ENV_PROXY', 'The command needs a proxy. The program below the command is compiled.'],
    [
      "import { createClient } from '@svc/client';\nimport { fetch as undiciFetch",
      'A test compiles the program. No test runs the program, because the program needs a proxy.',
    ],
  ],
  'docs/guides/mock-the-client.md': [
    [
      "import { createClient } from '@svc/client';\nimport { createMockTransport, fixtures } from",
      'guide-programs.test.ts runs the block with Vitest.',
    ],
  ],
  'docs/guides/run-in-production.md': [
    ['(umask 077', 'The block has placeholder hosts. The fleet in the block above runs with the same options.'],
    ['set -a;', 'The block above creates the file that this block loads. The file has placeholder hosts.'],
    ['admin() {', 'The block has placeholder ids.'],
  ],
  'docs/guides/run-in-docker.md': [
    ['docker ', 'The command needs Docker. The test container-files.test.ts runs the program that the image runs.'],
    ['services:', 'The file needs Docker Compose.'],
  ],
  'docs/guides/develop-locally.md': [
    [
      'export SVC_BASE_URL',
      'The command needs the real service. live.test.ts runs the command against the reference server.',
    ],
    ['{ "url"', 'The block shows the content of a file.'],
  ],
  'docs/guides/test-a-webhook-receiver.md': [
    ['export WEBHOOK_SECRET', 'The newcomer test of register-an-endpoint.md runs the same command.'],
    [
      'npx -p @svc/webhooks svc-webhooks verify',
      'The command needs a captured request. The tests of svc-webhooks run the command.',
    ],
  ],
  'docs/guides/observing-the-server.md': [['scrape_configs', 'The block is a configuration file of Prometheus.']],
  'docs/conformance.md': [
    ['npx @svc/conformance', 'The command needs a service. tarballs.test.ts runs the packed command against a server.'],
  ],
  'packages/conformance/README.md': [
    ['npx @svc/conformance', 'The command needs a service. tarballs.test.ts runs the packed command against a server.'],
    ['export SVC_BASE_URL', 'The command needs a service.'],
  ],
  'packages/client/README.md': [['npm install', 'The newcomer test installs the packages.']],
  'packages/webhooks/README.md': [['npm install', 'The newcomer test installs the packages.']],
};

export const whyNotRun = (page: string, { code }: GuideBlock): string | undefined =>
  NOT_RUN[page]?.find(([begins]) => code.startsWith(begins))?.[1];
