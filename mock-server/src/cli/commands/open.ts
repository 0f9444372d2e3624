import type { ChildProcess } from 'node:child_process';
import { reach } from '../../control-client/response.ts';
import type { CommandSpec } from '../command.ts';
import { every } from '../every.ts';
import { DidNotHappenError, UsageError } from '../exit-codes.ts';
import { tracedFetch } from '../traced-fetch.ts';

export const openDashboard: CommandSpec = {
  usage: 'open',
  summary: 'open the dashboard in the browser',
  examples: ['svc-mock open', 'svc-mock open --server http://127.0.0.1:5000'],
  async run({ url, output }) {
    const dashboardUrl = `${url}/dashboard`;
    const { status } = await reach(url, () => tracedFetch(dashboardUrl));
    if (status === 404) throw new UsageError(`The server at ${url} has no dashboard.`);
    const { default: open } = await import('open');
    const problem = await problemOf(await open(dashboardUrl));
    if (problem)
      throw new DidNotHappenError(`Cannot open a browser (${problem}). Open the dashboard yourself: ${dashboardUrl}`);
    output.result({ opened: dashboardUrl }, () => `Opened ${dashboardUrl}`);
  },
};

/** How long to wait for a failure. The program that opens the browser may keep running until the browser is closed. */
const FAILS_WITHIN_MS = 2_000;
const POLL_INTERVAL_MS = 20;

async function problemOf(child: ChildProcess): Promise<string | undefined> {
  for await (const _ of every(POLL_INTERVAL_MS, AbortSignal.timeout(FAILS_WITHIN_MS))) {
    if (child.exitCode !== null || child.signalCode !== null) break;
  }
  const { exitCode, signalCode, spawnfile } = child;
  return (exitCode ?? signalCode) ? `${spawnfile} exited with code ${exitCode ?? signalCode}` : undefined;
}
