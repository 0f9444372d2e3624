import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { parseArgs } from 'node:util';

// Reads the JSON reports of Vitest for `.ci/run`.
//
// Usage:
//   node scripts/test-report.ts skipped <report>                     prints the files with a skipped test
//   node scripts/test-report.ts summary --failed-steps N <report…>   prints the slowest files and the totals. If a file
//                                                                    is in several reports, the last report counts

interface Report {
  testResults: {
    name: string;
    status: string;
    startTime: number;
    endTime: number;
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[];
  }[];
}

const SLOWEST = 20;

const { values, positionals } = parseArgs({
  options: { 'failed-steps': { type: 'string', default: '0' } },
  allowPositionals: true,
});
const [command, ...paths] = positionals;

const filesOf = (path: string) =>
  existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Report).testResults : [];
const count = (file: Report['testResults'][number], status: string) =>
  file.assertionResults.filter((one) => one.status === status).length;
const shown = (path: string) => relative(process.cwd(), path);

if (command === 'skipped') {
  const skipped = paths.flatMap(filesOf).filter((file) => count(file, 'skipped') + count(file, 'pending') > 0);
  for (const name of new Set(skipped.map((file) => shown(file.name)))) console.log(name);
} else if (command === 'summary') {
  // A report lists a test file once for each Vitest project that includes it.
  const reports = paths.map((path) => Map.groupBy(filesOf(path), ({ name }) => name));
  const files = [...new Map(reports.flatMap((report) => [...report])).values()].flat();
  console.log(`\nThe slowest ${SLOWEST} of ${files.length} test files, in seconds`);
  const seconds = (file: (typeof files)[number]) => (file.endTime - file.startTime) / 1_000;
  for (const file of files.toSorted((a, b) => seconds(b) - seconds(a)).slice(0, SLOWEST)) {
    console.log(`${seconds(file).toFixed(1).padStart(7)}  ${shown(file.name)}`);
  }
  const passedLater = files.flatMap((file) =>
    file.assertionResults
      .filter(({ status, failureMessages }) => status === 'passed' && failureMessages.length > 0)
      .map(({ fullName, failureMessages }) => `  ${shown(file.name)}: ${fullName}\n    ${failureMessages[0]}`),
  );
  if (passedLater.length > 0) {
    console.log(`\nFailed at first, but passed when run again (${passedLater.length}):\n${passedLater.join('\n')}`);
  }
  const passed = files.reduce((sum, file) => sum + count(file, 'passed'), 0);
  const failed = files.reduce((sum, file) => sum + count(file, 'failed'), 0);
  const skipped = files.reduce((sum, file) => sum + count(file, 'skipped') + count(file, 'pending'), 0);
  // Each number misses some failures: `failed` does not count test files that fail to load, or failed steps that run no
  // tests. `failedSteps` counts a step once, even if several of its tests failed.
  const failedSteps = Number(values['failed-steps']);
  console.log(`\n${passed} passed, ${Math.max(failed, failedSteps)} failed, ${skipped} skipped`);
} else {
  console.error('Usage: node scripts/test-report.ts skipped|summary <report…>');
  process.exitCode = 2;
}
