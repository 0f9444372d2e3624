import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, run } from '@svc/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PROSE_RULES, rulesBrokenBy } from '../../../../tools/prose-rules.ts';
import { sentencesIn } from '../../../../tools/sentences-in.ts';

describe('The sentences of a page', () => {
  test('are those of its paragraphs, lists and tables', () => {
    const page =
      '# Not this\n\nOne\nline. Two.\n\n- three\n\n| a |\n|---|\n| four |\n\n```text\nNot this.\n```\n\n<p>Nor this.</p>\n';
    expect(sentencesIn(page)).toEqual(['One line.', 'Two.', 'three', 'a', 'four']);
  });

  test('can begin with inline code, which is not read', () => {
    expect(sentencesIn('It ends. `anew()` waits.')).toEqual(['It ends.', '`…` waits.']);
  });
});

test.each(PROSE_RULES)('"$bad" is rejected, and "$good" is not', ({ pattern, bad, good }) => {
  expect(rulesBrokenBy(bad).map((rule) => rule.pattern)).toContain(pattern);
  expect(rulesBrokenBy(good)).toEqual([]);
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

  test('accepts a plain page', async () => {
    expect(await check('The server sends the event again.')).toMatchObject({ status: 0, stderr: '' });
  });

  test('refuses a page that readers stumble over, and says what to write', async () => {
    const { status, stderr } = await check('The server sends the event anew.');
    expect(status).toBe(1);
    expect(stderr).toMatch(/page\.md: The server sends the event anew\.\n {4}Write instead: again/);
  });

  test('prints the same sample for the same seed', async () => {
    const sample = async () => (await run('node', ['tools/check-prose.ts', '--sample', '5', '--seed', '7'])).stdout;
    const first = await sample();
    expect(first.match(/^\d+\. /gm)).toHaveLength(5);
    expect(await sample()).toBe(first);
  });
});
