import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPackedProject, type PackedProject } from '@svc/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findInstalled } from '../../../../runtimes/installed.ts';

/** Each case is a separate program, because declared events apply to a whole program. */
const TYPED = ['surface.types.ts', 'added.types.ts'];

let project: PackedProject;

beforeAll(() => {
  project = createPackedProject('packages/webhooks', '@svc/webhooks', []);
  for (const name of TYPED) project.write(name, readFileSync(join(import.meta.dirname, '../types', name), 'utf8'));
});
afterAll(() => project[Symbol.dispose]());

/** Compiles all projects in one process, which is faster. Returns the errors in each. */
function compile(compiler: string, ...projects: { files: string[]; options: object }[]): string[][] {
  const configs = projects.map(({ files, options }, index) =>
    project.write(
      `tsconfig.${index}.json`,
      JSON.stringify({
        files,
        compilerOptions: {
          target: 'es2022',
          strict: true,
          noEmit: true,
          skipDefaultLibCheck: true,
          types: [],
          lib: ['es2022'],
          ...options,
        },
      }),
    ),
  );
  const argv = ['--build', '--force', '--verbose', '--pretty', 'false', ...configs];
  const { stdout } = spawnSync(process.execPath, [join(compiler, 'bin/tsc'), ...argv], { encoding: 'utf8' });
  const outputs = stdout.split(/^.*Building project .*$/m).slice(1);
  return outputs.map((output) => output.split('\n').filter((line) => line.includes('error TS')));
}

describe.each(['typescript-5.9', 'typescript-6', 'typescript-7'] as const)('the declarations on %s', (tool) => {
  const compiler = findInstalled(tool);
  if (!compiler) console.info(`${tool} is not installed: npm run runtimes`);
  const modes = [
    { module: 'nodenext' },
    { module: 'esnext', moduleResolution: 'bundler' },
    { module: 'nodenext', exactOptionalPropertyTypes: true, lib: ['esnext', 'dom'] },
  ];

  it.skipIf(!compiler)('compile as expected in each mode', () => {
    const projects = modes.map((options) => ({ files: TYPED, options }));
    const errors = compile(compiler ?? '', ...projects);
    expect(projects.map((one, index) => ({ ...one, errors: errors[index] }))).toEqual(
      projects.map((one) => ({ ...one, errors: [] })),
    );
  });
});
