import type { ChildProcess } from 'node:child_process';
import { reach } from '../../control-client/response.ts';
import type { CommandSpec } from '../command.ts';
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

/** A program that opens the browser may run until the browser is closed, so only an early exit is a failure. */
const FAILS_WITHIN_MS = 2_000;

function problemOf(child: ChildProcess): Promise<string | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(undefined), FAILS_WITHIN_MS);
    const end = (problem?: string) => {
      clearTimeout(timer);
      resolve(problem);
    };
    const ended = (code: number | null) => end(code === 0 ? undefined : `${child.spawnfile} exited with code ${code}`);
    child.once('error', ({ message }) => end(message)).once('exit', ended);
    // The program may have exited before the listeners were added.
    if (child.exitCode !== null) ended(child.exitCode);
  });
}
