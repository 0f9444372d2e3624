import type { Session } from './session.ts';

/** The given workspace, or the workspace of the API key. */
export async function workspaceIdOf(session: Session, named: string | undefined): Promise<string> {
  if (named !== undefined) return named;
  const { workspace } = await (await session.api()).me.retrieve();
  return workspace.id;
}
