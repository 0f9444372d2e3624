import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '@svc/testing';
import { expect, test } from 'vitest';

/** The files that write to a standard stream. They make visible what would act on a terminal. */
const PRINTERS = [
  'mock-server/src/cli/output/terminal.ts',
  // Says that its file descriptor is 2.
  'mock-server/src/runtime/logger.ts',
  'packages/conformance/src/print.ts',
  'packages/webhooks/src/cli/print.ts',
];

/** The code of all commands, without comments. `logger.ts` is the only user of a file descriptor. */
const sources = globSync(
  ['mock-server/src/**/*.ts', 'packages/conformance/src/**/*.ts', 'packages/webhooks/src/cli/**/*.ts'],
  { cwd: root },
)
  .toSorted()
  .map((file): [string, string] => [
    file,
    readFileSync(join(root, file), 'utf8').replaceAll(/^ *(?:\/?\*|\/\/).*/gm, ''),
  ]);

const PRINTS = /\b(?:stdout|stderr|console)\b|\bwriteSync\((?:1|2|STD)|\bdest: (?:1|2)\b|\/dev\/(?:tty|std)|_rawDebug/;

test('everything that a command prints passes through one file of its package', () => {
  expect(sources.length).toBeGreaterThan(300);
  expect(sources.filter(([, code]) => PRINTS.test(code)).map(([file]) => file)).toEqual(PRINTERS);
});

test.each([
  "process.stdout.write('a')",
  'const { stderr } = process;',
  'console.log(1)',
  "writeSync(2, 'a')",
  'pino.destination({ dest: 1 })',
])('%s is found', (code) => {
  expect(code).toMatch(PRINTS);
});

test.each(['print(text)', "writeSync(open, 'a')", "'standard output'"])('%s is not', (code) => {
  expect(code).not.toMatch(PRINTS);
});
