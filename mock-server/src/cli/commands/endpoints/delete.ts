import type { Command } from 'commander';
import { addCommand } from '../../command.ts';
import { confirmOrStop } from '../../confirm.ts';
import { idOf } from '../../ids.ts';
import { workspaceOption, yesOption } from '../../options.ts';

/** `svc-mock endpoints delete` */
export function addEndpointsDelete(parent: Command): void {
  addCommand<{ workspace?: string; yes?: true }>(parent, {
    usage: 'delete <id>',
    summary: 'delete an endpoint permanently; its past deliveries are kept',
    examples: ['svc-mock endpoints delete whe_…', 'svc-mock endpoints delete whe_… --yes --json'],
    options: [workspaceOption(), yesOption()],
    async run(context, [given = ''], { workspace, yes }) {
      const id = idOf('webhookEndpoint', given);
      const svc = await context.api(workspace);
      // The client treats a missing endpoint as deleted. For the CLI, a missing endpoint is a mistake to report.
      const { url } = await svc.webhooks.endpoints.retrieve(id);
      await confirmOrStop(context.output, `Delete ${id} (${url})?`, { yes }, 'Nothing was deleted.');
      await svc.webhooks.endpoints.delete(id);
      context.output.result({ deleted: id }, () => `Deleted ${id}.`);
    },
  });
}
