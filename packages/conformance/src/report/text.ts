import type { Outcome, Result } from '../run.ts';
import type { Statement } from '../statement.ts';
import { conforms, countsOf } from './counts.ts';

const OUTCOMES: readonly Outcome[] = ['pass', 'fail', 'differs', 'not testable'];
/** The maximum number of lines to print of a reason. The first lines show the values that an assertion compared. */
const MOST_LINES = 12;

const NAMES: Readonly<Record<Statement['source'], string>> = { document: 'service document', decision: 'decision' };

/**
 * Returns a function that prints a result as a row. Before the first row of each section, the function prints a
 * heading.
 */
export function createTable(statements: readonly Statement[], print: (text: string) => void): (result: Result) => void {
  const width = Math.max(...statements.map(({ id }) => id.length));
  let section = '';
  return ({ statement, outcome, reason }) => {
    const heading = `${statement.section} (${NAMES[statement.source]})`;
    if (heading !== section) print(`${section ? '\n' : ''}${heading}\n`);
    section = heading;
    const shown = outcome === 'fail' ? 'FAIL' : outcome;
    print(`  ${shown.padEnd(12)}  ${statement.id.padEnd(width)}  ${statement.text}\n`);
    if (reason !== undefined) print(indent(reason));
  };
}

function indent(reason: string): string {
  const lines = reason.trimEnd().split('\n');
  const shown = lines.length > MOST_LINES ? [...lines.slice(0, MOST_LINES), '…'] : lines;
  return shown.map((line) => `${`${' '.repeat(16)}${line}`.trimEnd()}\n`).join('');
}

export function summaryOf(results: readonly Result[]): string {
  const counts = countsOf(results);
  const rows = [
    ['', ...OUTCOMES],
    ...(['document', 'decision'] as const).map((source) => [
      source === 'document' ? 'service document' : 'decisions',
      ...OUTCOMES.map((outcome) => String(counts[source][outcome])),
    ]),
  ];
  const table = rows.map(([name = '', ...cells]) => {
    const padded = cells.map((cell, column) => cell.padStart(String(OUTCOMES[column]).length));
    return `${[name.padEnd(16), ...padded].join('  ')}\n`;
  });
  return `\n${table.join('')}\n${verdictOn(results)}\n`;
}

function verdictOn(results: readonly Result[]): string {
  const { document, decision } = countsOf(results);
  const checked = results.length - document['not testable'] - decision['not testable'];
  const failed =
    document.fail === 1
      ? '1 statement of the service document fails'
      : `${document.fail} statements of the service document fail`;
  const verdict = conforms(results) ? 'The service conforms.' : `The service does not conform: ${failed}.`;
  const points = decision.differs === 1 ? '1 decision' : `${decision.differs} decisions`;
  const differs = decision.differs > 0 ? ` It differs from the reference server in ${points}.` : '';
  return `${verdict}${differs} ${checked} of ${results.length} statements were checked.`;
}
