import type { CommandSpec } from '../command.ts';
import { type InWorkspace, lifecycleWorkspaceOption, workspaceIdOf } from '../options.ts';
import { inBlocks } from '../output/output.ts';

export const evaluate: CommandSpec<InWorkspace> = {
  usage: 'evaluate',
  summary: 'evaluate the profiles of a workspace now, and count them by state',
  examples: ['svc-mock evaluate', 'svc-mock evaluate --workspace wsp_… --json'],
  options: [lifecycleWorkspaceOption()],
  async run(context, _args, { workspace }) {
    const { control, output } = context;
    const response = await control.evaluate({ workspaceId: await workspaceIdOf(context, workspace) });
    const { evaluation, event } = response;
    output.result(response, () =>
      inBlocks(
        output.fields([
          ['Evaluation', evaluation.id],
          ['Workspace', evaluation.workspaceId],
          ['Profiles', String(evaluation.profiles)],
          ['Changed', String(evaluation.changed)],
          ['Event', `${event.type}  ${event.id}`],
          ['Sync error', evaluation.syncError ?? ''],
        ]),
        output.table(
          ['STATE', 'PROFILES'],
          Object.entries(evaluation.states).map(([state, profiles]) => [state, String(profiles)]),
        ),
        evaluation.transitions.length > 0
          ? output.table(
              ['FROM', 'TO', 'PROFILES'],
              evaluation.transitions.map(({ from, to, profiles }) => [from ?? '', to, String(profiles)]),
            )
          : [],
      ),
    );
  },
};
