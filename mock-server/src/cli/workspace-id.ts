import type { CommandContext } from './context.ts';

/** The given workspace, or the workspace of the API key. */
export async function workspaceIdOf(context: CommandContext, named: string | undefined): Promise<string> {
  if (named !== undefined) return named;
  const { workspace } = await (await context.api()).me.retrieve();
  return workspace.id;
}
