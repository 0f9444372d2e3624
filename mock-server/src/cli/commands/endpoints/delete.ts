import type { Command } from 'commander';
import { addCommand } from '../../command.ts';
import { workspaceOption } from '../../options.ts';

/** `svc-mock endpoints delete` */
export function addEndpointsDelete(parent: Command): void {
  addCommand<{ workspace?: string }>(parent, {
    usage: 'delete <id>',
    summary: 'delete an endpoint permanently; its deliveries stay',
    examples: ['svc-mock endpoints delete whe_…', 'svc-mock endpoints delete whe_… --json'],
    options: [workspaceOption()],
    async run(session, [id = ''], { workspace }) {
      const svc = await session.api(workspace);
      // The client treats a missing endpoint as deleted. For the CLI, it is a mistake to report.
      await svc.webhooks.endpoints.retrieve(id);
      await svc.webhooks.endpoints.delete(id);
      session.output.result({ deleted: id }, () => `Deleted ${id}.`);
    },
  });
}
