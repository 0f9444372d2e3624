import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rulesBrokenBy } from './prose-rules.ts';
import { sentencesIn } from './sentences-in.ts';

const HELP = `
Finds words and phrases that readers stumble over, and says what to write instead. The list is in tools/prose-rules.ts.

  npm run check:prose
  npm run check:prose -- <page> …              only these pages
  npm run check:prose -- --sample 72           prints sentences at random, for a person to mark; --seed 7 repeats them
`;

const argv = process.argv.slice(2);
const after = (name: string) => (argv.includes(name) ? Number(argv[argv.indexOf(name) + 1]) : undefined);
const root = join(import.meta.dirname, '..');
const named = argv.filter((word) => word.endsWith('.md'));
const pages =
  named.length > 0
    ? named
    : globSync(
        [
          '*.md',
          '.changeset/*.md',
          'docs/**/*.md',
          'examples/*/README.md',
          'mock-server/README.md',
          'packages/*/README.md',
        ],
        {
          cwd: root,
          exclude: ['**/node_modules', '**/.vitepress', 'docs/api', 'docs/reference'],
        },
      ).toSorted();
const sentences = pages.flatMap((page) =>
  sentencesIn(readFileSync(join(root, page), 'utf8')).map((sentence) => ({ page, sentence })),
);

const sample = after('--sample');
if (argv.includes('--help')) console.log(HELP.trim());
else if (sample !== undefined) printSample(sample, after('--seed') ?? Date.now());
else check();

function check(): void {
  const broken = sentences.flatMap(({ page, sentence }) =>
    rulesBrokenBy(sentence).map(({ instead }) => `${page}: ${sentence}\n    Write instead: ${instead}`),
  );
  for (const line of broken) console.error(line);
  console.log(`${sentences.length} sentences on ${pages.length} pages, ${broken.length} to rewrite.`);
  if (broken.length > 0) process.exitCode = 1;
}

/** Whether a sentence can stand alone: it is long enough to contain a verb, and ends with a punctuation mark. */
function isWhole({ sentence }: { sentence: string }): boolean {
  return /^[A-Z`].*[.:?!]$/.test(sentence) && sentence.split(' ').length > 3;
}

/** Prints sentences at random. The same seed prints the same sentences. */
function printSample(count: number, seed: number): void {
  let state = seed >>> 0;
  const draw = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const left = sentences.filter(isWhole);
  for (let at = 1; at <= count && left.length > 0; at++) {
    const [one] = left.splice(Math.floor(draw() * left.length), 1);
    if (one) console.log(`${at}. ${one.sentence}\n   ${one.page}`);
  }
}
