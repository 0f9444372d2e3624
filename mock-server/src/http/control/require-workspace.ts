import { findWorkspace } from '../../storage/statements/workspaces.ts';
import { notFound } from '../errors.ts';
import type { Services } from '../services.ts';

/** Checks that a workspace exists. @throws 404 if the workspace does not exist. */
export async function requireWorkspace({ storage }: Pick<Services, 'storage'>, id: string): Promise<void> {
  if (!(await storage.read((queries) => findWorkspace(queries, id)))) throw notFound('workspace', id);
}
