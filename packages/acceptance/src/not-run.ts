import type { GuideBlock } from './guide.ts';

/** Blocks of code that no test runs as they are written, by page: the beginning of each block, and the reason. */
export const NOT_RUN: Readonly<Record<string, readonly (readonly [begins: string, why: string])[]>> = {
  'README.md': [
    ['npm ci && npm run example', 'quickstart.test.ts runs the second half.'],
    ['npm ci && npm start', 'The tests of the start and of a clean checkout run both lines.'],
  ],
  'docs/index.md': [['npm ci && npm run example', 'As in the README.']],
  'docs/what-it-is.md': [['npm ci && npm run example', 'As in the README.']],
  'docs/start.md': [['', 'The newcomer test plays the built page.']],
  'docs/guides/connect-your-framework.md': [
    ['import { Module }', 'It is compiled. The tests of @svc/webhooks run the same application.'],
    ['import { Controller,', 'It is compiled. The tests of @svc/webhooks run the same controller.'],
  ],
  'docs/guides/recipes.md': [['import { Inject,', 'It is compiled.']],
  'docs/guides/customize-the-client.md': [
    ['npm install zod', 'It installs a third-party package.'],
    ['NODE_USE_ENV_PROXY', 'It needs a proxy. The program below it is compiled.'],
    ["import { createClient } from '@svc/client';\nimport { fetch as undiciFetch", 'It is compiled. It needs a proxy.'],
  ],
  'docs/guides/mock-the-client.md': [
    [
      "import { createClient } from '@svc/client';\nimport { createMockTransport, fixtures } from",
      'guide-programs.test.ts runs it with Vitest.',
    ],
  ],
  'docs/guides/run-in-production.md': [
    ['(umask 077', 'It has placeholder hosts. The fleet above it runs the same options.'],
    ['set -a;', 'As above.'],
    ['admin() {', 'It has placeholder ids.'],
  ],
  'docs/guides/run-in-docker.md': [
    ['docker ', 'It needs Docker. container-files.test.ts runs what the image runs.'],
    ['services:', 'It needs Docker Compose.'],
  ],
  'docs/guides/develop-locally.md': [
    ['export SVC_BASE_URL', 'It needs the real service. live.test.ts runs the command.'],
    ['{ "url"', 'It is a sample.'],
  ],
  'docs/guides/test-a-webhook-receiver.md': [
    ['export WEBHOOK_SECRET', 'The guide to registering an endpoint runs the same command.'],
    ['npx -p @svc/webhooks svc-webhooks verify', 'It needs a captured request. The tests of the command run it.'],
  ],
  'docs/guides/observing-the-server.md': [['scrape_configs', 'It is the configuration of Prometheus.']],
  'docs/conformance.md': [['npx @svc/conformance', 'It needs a service, as in the README of the package.']],
  'packages/conformance/README.md': [
    ['npx @svc/conformance', 'It needs a service. The release test runs the packed command against one.'],
    ['export SVC_BASE_URL', 'As above.'],
  ],
  'packages/client/README.md': [['npm install', 'The newcomer test installs the packages.']],
  'packages/webhooks/README.md': [['npm install', 'The newcomer test installs the packages.']],
};

/** Why a block is not run, or `undefined`. */
export const whyNotRun = (page: string, { code }: GuideBlock): string | undefined =>
  NOT_RUN[page]?.find(([begins]) => code.startsWith(begins))?.[1];
