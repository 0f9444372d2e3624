import type { Queries } from '../../storage/port.ts';
import { findDeliveryAnywhere } from '../../storage/statements/deliveries/read.ts';
import { findOrganization, findUser } from '../../storage/statements/organizations.ts';
import { findWorkspace } from '../../storage/statements/workspaces.ts';
import { notFound } from '../errors.ts';
import type { Services } from '../services.ts';

// Each `existing…` function throws 404 if the row does not exist.

export const existingOrganization = async (queries: Queries, id: string) =>
  (await findOrganization(queries, id)) ?? missing('organization', id);

export const existingWorkspace = async (queries: Queries, id: string) =>
  (await findWorkspace(queries, id)) ?? missing('workspace', id);

export const existingUser = async (queries: Queries, id: string) =>
  (await findUser(queries, id)) ?? missing('user', id);

export const existingDelivery = async (queries: Queries, id: string) =>
  (await findDeliveryAnywhere(queries, id)) ?? missing('webhook delivery', id);

function missing(what: string, id: string): never {
  throw notFound(what, id);
}

export async function requireWorkspace({ storage }: Services, id: string): Promise<void> {
  await storage.read((queries) => existingWorkspace(queries, id));
}
