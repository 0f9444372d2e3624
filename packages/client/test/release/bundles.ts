import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Rolldown } from 'vite';
import type { Project } from './packed.ts';

/** The code that starts the scenario on a command line, in a worker and in a page. */
const STARTS = {
  cli: `const target = JSON.parse(process.argv.at(-1));
    scenario(target).then((done) => console.log(JSON.stringify(done)), (error) => { console.error(error); process.exit(1); });`,
  worker: `export default { async fetch(request) {
    try { return Response.json(await scenario(await request.json())); }
    catch (error) { return new Response(String(error?.stack ?? error), { status: 500 }); }
  } };`,
  page: 'globalThis.scenario = scenario;',
};

/** Bundles the scenario with the packed package into one file without imports. */
export async function bundleScenario(project: Project, start: keyof typeof STARTS): Promise<string> {
  project.write('scenario.ts', readFileSync(join(import.meta.dirname, 'scenario.ts'), 'utf8'));
  const entry = project.write(`${start}.ts`, `import { scenario } from './scenario.ts';\n${STARTS[start]}`);
  const output = (await build({
    configFile: false,
    logLevel: 'error',
    root: project.directory,
    build: { lib: { entry, formats: ['es'] }, write: false, minify: false, target: 'es2022' },
  })) as Rolldown.RolldownOutput[];
  return output[0]?.output[0].code ?? '';
}
