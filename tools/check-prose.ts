import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { printHelpIfAsked } from '../scripts/usage.ts';
import { measureProse } from './measure-prose.ts';

printHelpIfAsked(`
Prints how easy each page is to read, and fails if one is harder than the limits allow.

  npm run check:prose
  npm run check:prose -- --longest <page>   this page, with its longest sentences
`);

const EASE_MIN = 60;
const WORDS_PER_SENTENCE_MAX = 18;

const root = join(import.meta.dirname, '..');
const { values, positionals } = parseArgs({ options: { longest: { type: 'boolean' } }, allowPositionals: true });
const pages =
  positionals.length > 0
    ? positionals
    : globSync(['*.md', 'docs/**/*.md', 'mock-server/README.md', 'packages/*/README.md'], {
        cwd: root,
        exclude: ['**/node_modules', '**/.vitepress', 'docs/api', 'docs/reference'],
      }).toSorted();

console.log(`${'page'.padEnd(56)} ease  words/sentence  words`);
let tooHard = 0;
for (const page of pages) {
  const { ease, wordsPerSentence, words, longest } = measureProse(readFileSync(join(root, page), 'utf8'));
  const isTooHard = words > 0 && (ease < EASE_MIN || wordsPerSentence >= WORDS_PER_SENTENCE_MAX);
  if (isTooHard) tooHard++;
  const row = [page.padEnd(54), ease.toFixed(1).padStart(6), wordsPerSentence.toFixed(1).padStart(15)];
  console.log(`${row.join(' ')} ${String(words).padStart(6)}${isTooHard ? '  too hard' : ''}`);
  if (values.longest) for (const sentence of longest) console.log(`    ${sentence}`);
}
if (tooHard > 0) {
  console.error(
    `Too hard to read: ${tooHard}. Each page needs an ease of ${EASE_MIN} or more and under ${WORDS_PER_SENTENCE_MAX} words per sentence.`,
  );
  process.exitCode = 1;
}
