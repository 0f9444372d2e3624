import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommand } from '../../src/command.ts';
import { type FaultyService, startFaultyService } from '../support/faulty-service.ts';
import { TWENTY_FAULTS } from '../support/twenty-faults.ts';

/** A project outside the repository, with the packed command installed in it. */
let project: string;
let service: FaultyService;
beforeAll(async () => {
  project = mkdtempSync(join(tmpdir(), 'svc-packed-'));
  writeFileSync(join(project, 'package.json'), '{ "name": "implementation", "private": true }');
  await must('npm', ['pack', '--ignore-scripts', '--pack-destination', project], join(import.meta.dirname, '../..'));
  const [tarball = ''] = readdirSync(project).filter((name) => name.endsWith('.tgz'));
  // It has no dependencies, so it needs no registry.
  await must('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${tarball}`], project);
  service = await startFaultyService();
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  rmSync(project, { recursive: true, force: true });
});

interface Ended {
  status: number;
  stdout: string;
  stderr: string;
}

const run = (command: string, argv: readonly string[], cwd: string) =>
  new Promise<Ended>((resolve) => {
    execFile(command, argv, { cwd, maxBuffer: 64 * 2 ** 20 }, (error, stdout, stderr) => {
      resolve({ status: typeof error?.code === 'number' ? error.code : error ? -1 : 0, stdout, stderr });
    });
  });

async function must(command: string, argv: readonly string[], cwd: string): Promise<void> {
  const { status, stdout, stderr } = await run(command, argv, cwd);
  if (status !== 0) throw new Error(`${command} ${argv.join(' ')}: ${stdout}${stderr}`);
}

/** The arguments of the command for a service with faults. */
function argvFor(faults: FaultyService['faults'], options: readonly string[]): string[] {
  service.faults = faults;
  return ['--url', service.url, '--control', `${service.url}/_control`, ...options];
}

/** Runs the installed command against a service with faults. */
const check = (faults: FaultyService['faults'], ...options: string[]): Promise<Ended> =>
  run(join(project, 'node_modules/.bin/svc-conformance'), argvFor(faults, options), project);

/** Runs the command's sources in this process, which takes a fraction of the time of a process. */
async function checkHere(faults: FaultyService['faults'], ...options: string[]): Promise<Ended> {
  let [stdout, stderr] = ['', ''];
  const status = await runCommand(
    argvFor(faults, options),
    {},
    (text) => {
      stdout += text;
    },
    (text) => {
      stderr += text;
    },
  );
  return { status, stdout, stderr };
}

/** The options that choose the statements which find faults. */
const only = (faults: FaultyService['faults']) => faults.flatMap(({ caughtBy }) => ['--only', caughtBy]);

const outcomesIn = (stdout: string) =>
  new Map((JSON.parse(stdout).statements as { id: string; outcome: string }[]).map(({ id, outcome }) => [id, outcome]));

// The test of the tarballs runs all statements with the packed command. Here, those that find the faults are enough.
test('the packed command, run as its README says, finds that a service without the faults conforms', async () => {
  const argv = ['--no', '@svc/conformance', '--', ...argvFor([], only(TWENTY_FAULTS)), '--junit', 'results.xml'];
  const { status, stdout, stderr } = await run('npx', argv, project);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout.match(/^ {2}(?:FAIL|differs|not testable) .*(?:\n {16}.*)*/gm)).toBeNull();
  expect(stdout).toMatch(/^The service conforms\. 20 of 20 /m);
  expect(readFileSync(join(project, 'results.xml'), 'utf8')).toContain('tests="20" failures="0" skipped="0"');
});

// The packed command finds all of them at once, below.
test.each(TWENTY_FAULTS)('the command finds that a service $does', async (fault) => {
  const { status, stdout } = await checkHere([fault], ...only([fault]), '--json');
  expect([status, outcomesIn(stdout).get(fault.caughtBy)]).toEqual([1, 'fail']);
});

test('the packed command finds all twenty faults of one service', async () => {
  expect(new Set(TWENTY_FAULTS.map(({ caughtBy }) => caughtBy)).size).toBe(20);
  const { status, stdout } = await check(TWENTY_FAULTS, '--json');
  expect(status).toBe(1);
  const outcomes = outcomesIn(stdout);
  expect(TWENTY_FAULTS.filter(({ caughtBy }) => outcomes.get(caughtBy) !== 'fail')).toEqual([]);
  // Most of the rest does not depend on them.
  expect([...outcomes.values()].filter((outcome) => outcome === 'pass').length).toBeGreaterThan(60);
});

test('a service that only decides otherwise where the document is silent conforms, and differs', async () => {
  const otherwise = {
    does: 'knows no method that it does not serve',
    caughtBy: 'errors.method',
    answers: (answer: { status: number }) => {
      if (answer.status === 405) answer.status = 404;
    },
  };
  const { status, stdout } = await check([otherwise], '--only', 'errors.method');
  expect(status).toBe(0);
  expect(stdout).toMatch(/^ {2}differs {7}errors\.method /m);
  expect(stdout).toMatch(/^The service conforms\. It differs from the reference server in 1 decision\./m);
});
