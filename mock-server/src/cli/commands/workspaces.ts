import type { CommandSpec, GroupSpec } from '../command.ts';
import { formatInstant } from '../output/times.ts';

const list: CommandSpec = {
  usage: 'list',
  summary: 'list the workspaces of a user (default: the first demo user)',
  examples: ['svc-mock workspaces list', 'svc-mock workspaces list --api-key svc_pat_… --json'],
  async run(context) {
    const { data } = await (await context.userApi()).workspaces.list();
    const nowMs = await context.now();
    const columns = ['ID', 'NAME', 'SLUG', 'ORGANIZATION', 'TIME ZONE', 'CREATED'];
    context.output.list(data, 'No workspaces.', columns, (workspace) => [
      workspace.id,
      workspace.name,
      workspace.slug,
      workspace.organizationId,
      workspace.timezone ?? 'UTC',
      formatInstant(workspace.createdAt, nowMs),
    ]);
  },
};

export const workspaces: GroupSpec = { name: 'workspaces', summary: 'list workspaces', commands: [list] };
