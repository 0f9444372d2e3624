// How long a start takes on a memory database, of the built server: the command from its process to its ready line, and in
// a process of one's own the import, the first `startServer` and the next. `npm run build` before.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const ROUNDS = Number(process.env['ROUNDS'] ?? 15);
const command = fileURLToPath(new URL('../bin/svc-mock.js', import.meta.url));
const library = new URL('../dist/index.js', import.meta.url).href;

const START = `
  const times = [performance.now()];
  const { startServer } = await import(${JSON.stringify(library)});
  times.push(performance.now());
  for (let count = 0; count < 2; count++) {
    const server = await startServer({ port: 0, dataDir: null, logLevel: 'silent' });
    times.push(performance.now());
    await server.close();
    times.push(performance.now());
  }
  const [begun, imported, first, closed, next] = times;
  console.log(JSON.stringify([imported - begun, first - imported, next - closed]));
`;

async function untilReadyLine(): Promise<number> {
  const begunAt = performance.now();
  const child = spawn(process.execPath, [command, '--memory', '--json', '--port', '0'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await once(child.stdout, 'data');
  const tookMs = performance.now() - begunAt;
  child.kill('SIGTERM');
  await once(child, 'exit');
  return tookMs;
}

const measured: Record<string, number[]> = { command: [], import: [], 'first startServer': [], 'next startServer': [] };
for (let round = 0; round < ROUNDS; round++) {
  measured['command']?.push(await untilReadyLine());
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', START], { encoding: 'utf8' });
  const [imported, first, next] = JSON.parse(stdout) as [number, number, number];
  measured['import']?.push(imported);
  measured['first startServer']?.push(first);
  measured['next startServer']?.push(next);
}
for (const [name, times] of Object.entries(measured)) {
  const sorted = times.toSorted((a, b) => a - b);
  console.log(`${name}: median ${sorted[sorted.length >> 1]?.toFixed(1)} ms, least ${sorted[0]?.toFixed(1)} ms`);
}
