import type { IdentityWorkspace, UserIdentity } from '@svc/client';
import type { CommandSpec, GroupSpec } from '../command.ts';
import { workspaceOption } from '../options.ts';
import { formatInstant } from '../output/output.ts';

/** An API key has no `user`, and a token without `--workspace` has no `workspace`. */
type WhoIs = Pick<UserIdentity, 'credential'> & {
  user?: UserIdentity['user'] | null;
  workspace?: IdentityWorkspace | null;
};

export const whoami: CommandSpec<{ apiKey?: string; workspace?: string }> = {
  usage: 'whoami',
  summary: 'show the owner of the credential, and what the credential can access',
  examples: ['svc-mock whoami', 'svc-mock whoami --api-key svc_pat_… --workspace wsp_… --json'],
  options: [workspaceOption()],
  async run(context, _args, { apiKey, workspace }) {
    const { output } = context;
    const isToken = apiKey?.startsWith('svc_pat_') ?? false;
    const svc = isToken && workspace === undefined ? await context.userApi() : await context.api();
    const identity: WhoIs = await svc.me.retrieve();
    const workspaces = isToken ? (await (await context.userApi()).workspaces.list()).data : [];
    const nowMs = await context.now();
    const { credential, user, workspace: bound } = identity;
    const kind = credential.kind === 'api_key' ? 'API key' : 'personal access token';
    output.blocks({ ...identity, ...(isToken && { workspaces }) }, () => [
      output.fields({
        Credential: `${kind}${credential.test ? ' (test)' : ''}`,
        ID: credential.id,
        Created: formatInstant(credential.createdAt, nowMs),
        User: user ? `${user.name} <${user.email}>  ${user.id}` : '',
        Workspace: bound ? `${bound.name}  ${bound.id}` : '',
        Organization: bound?.organizationId ?? '',
        Role: bound?.role ?? '',
        Permissions: bound?.permissions.join(', ') ?? '',
      }),
      output.tableOf(workspaces, (one) => ({ WORKSPACE: one.id, NAME: one.name, ORGANIZATION: one.organizationId })),
    ]);
  },
};

const list: CommandSpec = {
  usage: 'list',
  summary: 'list the workspaces of a user (default: the first demo user)',
  examples: ['svc-mock workspaces list', 'svc-mock workspaces list --api-key svc_pat_… --json'],
  async run(context) {
    const { data } = await (await context.userApi()).workspaces.list();
    const nowMs = await context.now();
    context.output.list(data, 'No workspaces.', (workspace) => ({
      ID: workspace.id,
      NAME: workspace.name,
      SLUG: workspace.slug,
      ORGANIZATION: workspace.organizationId,
      'TIME ZONE': workspace.timezone ?? 'UTC',
      CREATED: formatInstant(workspace.createdAt, nowMs),
    }));
  },
};

export const workspaces: GroupSpec = { name: 'workspaces', summary: 'list workspaces', commands: [list] };
