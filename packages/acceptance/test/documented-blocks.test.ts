import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '@svc/testing';
import { describe, expect, test } from 'vitest';
import { type GuideBlock, parseGuide } from '../src/guide.ts';
import { PROGRAM_PAGES } from '../src/guide-programs.ts';
import { NOT_RUN, whyNotRun } from '../src/not-run.ts';
import { PLAYED_PAGES } from '../src/played-pages.ts';

const played: readonly string[] = PLAYED_PAGES.map(([page]) => page);

/** Why a block needs no other test, or `undefined`. */
function reasonFor(page: string, block: GuideBlock): string | undefined {
  if (block.isQuote) return 'It quotes a file that has its own tests.';
  const reason = whyNotRun(page, block);
  if (reason !== undefined) return reason;
  if (played.includes(page)) return 'The newcomer test plays the page.';
  if (block.language === 'text' || block.language === '') return 'It is text.';
  const isProgram = block.language === 'ts' && !block.code.includes("from 'vitest'");
  return isProgram && PROGRAM_PAGES.includes(page) ? 'guide-programs.test.ts runs it.' : undefined;
}

const pages = globSync(
  ['README.md', 'docs/*.md', 'docs/guides/*.md', 'packages/*/README.md', 'mock-server/README.md'],
  {
    cwd: root,
  },
).map((page) => page.replaceAll('\\', '/'));
const blocksOf = (page: string) => parseGuide(readFileSync(join(root, page), 'utf8'));

describe('Every block of code', () => {
  test.each(pages)('of %s is run by a test, or src/not-run.ts says why not', (page) => {
    const unexplained = blocksOf(page).filter((block) => reasonFor(page, block) === undefined);
    expect(unexplained.map(({ line, code }) => `${line}: ${code.split('\n')[0]}`)).toEqual([]);
  });

  test('that src/not-run.ts lists is still there', () => {
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
