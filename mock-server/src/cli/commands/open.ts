import type { Command } from 'commander';
import { reach } from '../../control-client/answer.ts';
import { addCommand } from '../command.ts';
import { UsageError } from '../exit.ts';

/** `svc-mock open` */
export function addOpen(program: Command): void {
  addCommand(program, {
    usage: 'open',
    summary: 'open the dashboard in the browser',
    examples: ['svc-mock open', 'svc-mock open --url http://127.0.0.1:5000'],
    async run({ url, output }) {
      const dashboardUrl = `${url}/dashboard`;
      const { status } = await reach(url, () => fetch(dashboardUrl, { redirect: 'manual' }));
      if (status === 404) throw new UsageError(`The server at ${url} has no dashboard.`);
      const { default: open } = await import('open');
      // The browser goes on without this command.
      await open(dashboardUrl);
      output.result({ opened: dashboardUrl }, () => `Opened ${dashboardUrl}`);
    },
  });
}
