import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { measureProse } from '../../../../tools/measure-prose.ts';
import { root, run } from '../../src/run.ts';

const EASY = 'The server sends the event. It tries again after five minutes.';
const HARD =
  'Notwithstanding administrative considerations, organizations occasionally necessitate comprehensive documentation of interoperability characteristics, particularly regarding authentication.';

describe('The measure of prose', () => {
  test('counts words, syllables and sentences', () => {
    const { words, wordsPerSentence, ease } = measureProse(EASY);
    expect({ words, wordsPerSentence }).toEqual({ words: 11, wordsPerSentence: 5.5 });
    expect(ease).toBeGreaterThan(70);
    expect(measureProse(HARD).ease).toBeLessThan(0);
  });

  test('leaves out code, tables, headings, HTML and front matter', () => {
    const page = `---\ntitle: ${HARD}\n---\n\n# ${HARD}\n\n${EASY}\n\n\`\`\`text\n${HARD}\n\`\`\`\n\n| a |\n|---|\n| ${HARD} |\n\n<p>${HARD}</p>\n`;
    expect(measureProse(page)).toEqual(measureProse(EASY));
  });

  test('treats a line break as a space, and inline code as a word that can start a sentence', () => {
    expect(measureProse(EASY.replaceAll(' ', '\n'))).toEqual(measureProse(EASY));
    expect(measureProse('It ends. `close()` waits.').wordsPerSentence).toBe(2);
  });
});

describe('npm run check:prose', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(root, 'packages/acceptance/.readme-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const check = async (text: string) => {
    writeFileSync(join(folder, 'page.md'), text);
    return await run('node', ['tools/check-prose.ts', join(folder.slice(root.length), 'page.md')]);
  };

  test('accepts an easy page', async () => {
    expect(await check(EASY)).toMatchObject({ status: 0, stderr: '' });
  });

  test('refuses a hard page, and says what it needs', async () => {
    const { status, stdout, stderr } = await check(HARD);
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringMatching(/ease of 60 or more/) });
    expect(stdout).toMatch(/page\.md .* too hard$/m);
  });
});
