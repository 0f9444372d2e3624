import type { Outcome, Result } from '../run.ts';

/**
 * Returns the results as a JUnit report. Statements that differ or are not testable become skipped tests, because only
 * a failed statement should fail a build.
 */
export function toJunit(url: string, results: readonly Result[]): string {
  const suites = Map.groupBy(results, ({ statement }) => `${statement.source}: ${statement.section}`);
  const written = [...suites].map(([name, own]) => {
    const cases = own.map((result) => testCase(name, result)).join('');
    return `  <testsuite${attributes({ name, ...numbersOf(own) })}>\n${cases}  </testsuite>\n`;
  });
  const all = attributes({ name: `conformance of ${url}`, ...numbersOf(results) });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${all}>\n${written.join('')}</testsuites>\n`;
}

const numbersOf = (results: readonly Result[]) => {
  const count = (...outcomes: Outcome[]) => results.filter(({ outcome }) => outcomes.includes(outcome)).length;
  return { tests: results.length, failures: count('fail'), skipped: count('differs', 'not testable') };
};

function testCase(classname: string, { statement, outcome, reason = '' }: Result): string {
  const named = attributes({ classname, name: `${statement.id}: ${statement.text}` });
  if (outcome === 'pass') return `    <testcase${named}/>\n`;
  const [first = ''] = reason.split('\n');
  const said =
    outcome === 'fail'
      ? `<failure${attributes({ message: first })}>${escaped(reason)}</failure>`
      : `<skipped${attributes({ message: `${outcome}: ${first}` })}/>`;
  return `    <testcase${named}>${said}</testcase>\n`;
}

const attributes = (values: Readonly<Record<string, string | number>>) =>
  Object.entries(values)
    .map(([name, value]) => ` ${name}="${escaped(String(value))}"`)
    .join('');

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const escaped = (text: string) =>
  text.toWellFormed().replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
