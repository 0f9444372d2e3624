import type { Command } from 'commander';
import { addCommand } from '../command.ts';
import { addGroup } from '../group.ts';
import { formatInstant } from '../output/times.ts';

/** `svc-mock workspaces` */
export function addWorkspaces(program: Command): void {
  const group = addGroup(program, 'workspaces', 'list workspaces');
  addCommand(group, {
    usage: 'list',
    summary: 'list the workspaces of a user (default: the first demo user)',
    examples: ['svc-mock workspaces list', 'svc-mock workspaces list --api-key svc_pat_… --json'],
    async run(context) {
      const { output } = context;
      const { data } = await (await context.userApi()).workspaces.list();
      const nowMs = await context.now();
      output.result(data, () =>
        data.length === 0
          ? 'No workspaces.'
          : output.table(
              ['ID', 'NAME', 'SLUG', 'ORGANIZATION', 'TIME ZONE', 'CREATED'],
              data.map((workspace) => [
                workspace.id,
                workspace.name,
                workspace.slug,
                workspace.organizationId,
                workspace.timezone ?? 'UTC',
                formatInstant(workspace.createdAt, nowMs),
              ]),
            ),
      );
    },
  });
}
