import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { install, requireTool } from '../../../../tools/installed.ts';

/** One violation that Prism reports in its header `sl-violations`. */
interface Violation {
  location: string[];
  severity: 'Error' | 'Warning' | 'Information' | 'Hint';
  message: string;
}

/** An outside judge in front of a service: Prism, which compares each exchange with the service's OpenAPI document. */
export interface Judge extends AsyncDisposable {
  /** The URL at which it accepts requests for the service. */
  url: string;
  /** `fetch`, which also collects Prism's verdicts. */
  fetch(request: Request): Promise<Response>;
  /** The violations of the document, as `GET /v1/me 200: …`. Empty if everything was correct. */
  objections: string[];
  /** The exchanges that were judged, as `GET /v1/me 200`. */
  answered: Set<string>;
}

/**
 * Starts Prism as a validating proxy for `upstream`. Prism does not report its port, so this chooses one. `document` is
 * the OpenAPI document, as JSON.
 */
export async function startJudge(document: string, upstream: string, port: number): Promise<Judge> {
  await using cleanup = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'svc-judge-'));
  cleanup.defer(() => rm(folder, { recursive: true }));
  const file = join(folder, 'openapi.json');
  await writeFile(file, document);
  const argv = [await prism(), 'proxy', file, upstream, '--port', String(port)];
  const child = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'pipe'] });
  cleanup.defer(() => stop(child));
  await listening(child);

  const owned = cleanup.move();
  const judge: Judge = {
    url: `http://127.0.0.1:${port}`,
    objections: [],
    answered: new Set(),
    async fetch(request) {
      const response = await fetch(request);
      const exchange = `${request.method} ${new URL(request.url).pathname} ${response.status}`;
      judge.answered.add(exchange);
      for (const objection of objectionsTo(response)) judge.objections.push(`${exchange}: ${objection}`);
      return response;
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
  return judge;
}

/**
 * Returns what is wrong with an exchange. A request that the document forbids is a fault only if the service accepts
 * it. A path that the document does not contain is a fault only if the service serves it.
 */
function objectionsTo(response: Response): string[] {
  const violations: Violation[] = JSON.parse(response.headers.get('sl-violations') ?? '[]');
  return violations
    .filter(({ location, severity, message }) => {
      if (message === 'Selected route not found') return response.status !== 404 && response.status !== 405;
      if (severity !== 'Error') return false;
      return location[0] === 'response' || response.ok;
    })
    .map(({ location, message }) => `${location.join('.')}: ${message}`);
}

/** Prism's program. Installs it first if it is missing. */
async function prism(): Promise<string> {
  await install();
  const manifest = requireTool.resolve('@stoplight/prism-cli/package.json');
  const { bin } = JSON.parse(await readFile(manifest, 'utf8'));
  return join(dirname(manifest), bin.prism);
}

async function listening(child: ChildProcess): Promise<void> {
  const said: string[] = [];
  for await (const line of createInterface({ input: child.stdout as NonNullable<typeof child.stdout> })) {
    said.push(line);
    if (line.includes('is listening')) {
      // Read and discard its log, because a full pipe would block it.
      child.stdout?.resume();
      child.stderr?.resume();
      return;
    }
  }
  throw new Error(`Prism did not start: ${said.join('\n')}`);
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill();
  await ended;
}
