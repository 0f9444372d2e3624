import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '@svc/testing';
import { type GuideBlock, parseGuide } from './guide.ts';
import { PROGRAM_PAGES } from './guide-programs.ts';
import { whyNotRun } from './not-run.ts';

/** The pages that a newcomer follows from top to bottom, and the minimum number of blocks to run on each page. */
export const PLAYED_PAGES = [
  ['mock-server/README.md', 3],
  ['docs/guides/make-your-first-call.md', 6],
  ['docs/guides/register-an-endpoint.md', 7],
  ['docs/guides/seeds.md', 11],
  ['docs/guides/test-with-a-runner.md', 9],
  ['docs/guides/test-in-ci.md', 2],
  ['docs/guides/test-without-a-socket.md', 8],
  ['docs/guides/develop-locally.md', 8],
  ['docs/guides/fix-a-failed-delivery.md', 6],
  ['docs/guides/commands-and-scripts.md', 1],
  ['docs/guides/control-api.md', 2],
  ['docs/guides/injecting-faults.md', 2],
  ['docs/guides/run-an-evaluation.md', 2],
  ['docs/guides/run-in-production.md', 6],
] as const;

/** Returns the blocks of a page that can run and that no other test runs. */
export function blocksToPlay(page: string): GuideBlock[] {
  const isProgram = ({ language, file }: GuideBlock) =>
    PROGRAM_PAGES.includes(page) && language === 'ts' && file === undefined;
  return parseGuide(readFileSync(join(root, page), 'utf8')).filter(
    (block) => !isProgram(block) && whyNotRun(page, block) === undefined,
  );
}
