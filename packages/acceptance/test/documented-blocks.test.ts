import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type GuideBlock, parseGuide } from '../src/guide.ts';
import { PROGRAM_PAGES } from '../src/guide-programs.ts';
import { PLAYED_PAGES } from '../src/played-pages.ts';
import { root } from '../src/run.ts';

/** Blocks that no test here runs, by page: their first text, and the reason. */
const NOT_RUN: Readonly<Record<string, readonly (readonly [begins: string, why: string])[]>> = {
  'README.md': [['npm ci && npm start', 'The tests of the start and of a clean checkout run both lines.']],
  'docs/start.md': [['', 'The newcomer test plays the built page.']],
  'docs/guides/try-it.md': [
    ['npm ci && npm start', 'As in the README.'],
    ['# Read a workspace.', 'readme.test.ts runs it.'],
  ],
  'docs/guides/nestjs.md': [['import', 'It is compiled.']],
  'docs/guides/nestjs-webhooks.md': [
    ['import', 'It is compiled. The tests of @svc/webhooks run the same controllers.'],
  ],
  'docs/guides/validation.md': [['npm install zod', 'It installs a third-party package.']],
  'docs/guides/proxies.md': [
    ['NODE_USE_ENV_PROXY', 'It needs a proxy. The program below it is compiled.'],
    ['import { createClient }', 'It is compiled. It needs a proxy.'],
  ],
  'docs/guides/mock-failures.md': [['import { createClient }', 'guide-programs.test.ts runs it with Vitest.']],
  'docs/guides/run-in-production.md': [
    ['(umask 077', 'It has placeholder hosts. The fleet guide runs the same options.'],
    ['set -a;', 'As above.'],
    ['admin() {', 'It has placeholder ids.'],
  ],
  'docs/guides/run-in-docker.md': [
    ['docker ', 'It needs Docker. container-files.test.ts runs what the image runs.'],
    ['services:', 'It needs Docker Compose.'],
  ],
  'docs/guides/receive-live-deliveries.md': [
    ['export SVC_BASE_URL', 'It needs the real service. live.test.ts runs the command.'],
    ['{ "url"', 'It is a sample.'],
  ],
  'docs/guides/upgrade-in-docker.md': [['docker ', 'It needs Docker.']],
  'docs/guides/test-a-webhook-receiver.md': [
    ['export WEBHOOK_SECRET', 'The guide to registering an endpoint runs the same command.'],
    ['npx -p @svc/webhooks svc-webhooks verify', 'It needs a captured request. The tests of the command run it.'],
  ],
  'docs/guides/observing-the-server.md': [['scrape_configs', 'It is the configuration of Prometheus.']],
  'packages/client/README.md': [['npm install', 'The newcomer test installs the packages.']],
  'packages/webhooks/README.md': [['npm install', 'The newcomer test installs the packages.']],
};

const played: readonly string[] = PLAYED_PAGES.map(([page]) => page);

/** Why a block needs no other test, or `undefined`. */
function reasonFor(page: string, block: GuideBlock): string | undefined {
  if (block.isQuote) return 'It quotes a file that has its own tests.';
  if (played.includes(page)) return 'The newcomer test plays the page.';
  if (block.language === 'text' || block.language === '') return 'It is text.';
  const isProgram = block.language === 'ts' && !block.code.includes("from 'vitest'");
  if (isProgram && PROGRAM_PAGES.includes(page)) return 'guide-programs.test.ts runs it.';
  return NOT_RUN[page]?.find(([begins]) => block.code.startsWith(begins))?.[1];
}

const pages = globSync(
  ['README.md', 'docs/*.md', 'docs/guides/*.md', 'packages/*/README.md', 'mock-server/README.md'],
  {
    cwd: root,
  },
).map((page) => page.replaceAll('\\', '/'));
const blocksOf = (page: string) => parseGuide(readFileSync(join(root, page), 'utf8'));

describe('Every block of code', () => {
  test.each(pages)('of %s is run by a test, or the list above says why not', (page) => {
    const unexplained = blocksOf(page).filter((block) => reasonFor(page, block) === undefined);
    expect(unexplained.map(({ line, code }) => `${line}: ${code.split('\n')[0]}`)).toEqual([]);
  });

  test('in the list above is still there', () => {
    const gone = Object.entries(NOT_RUN).flatMap(([page, entries]) =>
      entries.filter(([begins]) => !blocksOf(page).some(({ code }) => code.startsWith(begins))).map(() => page),
    );
    expect(gone).toEqual([]);
  });

  test('on a new page needs a reason', () => {
    const [block] = parseGuide('```sh\nrm -rf /\n```\n');
    expect(block && reasonFor('docs/guides/new.md', block)).toBeUndefined();
  });
});
