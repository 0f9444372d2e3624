import type { Session } from './session.ts';

/** The workspace that was named, or the one of the API key. */
export async function workspaceIdOf(session: Session, named: string | undefined): Promise<string> {
  if (named !== undefined) return named;
  const { workspace } = await (await session.api()).me.retrieve();
  return workspace.id;
}
