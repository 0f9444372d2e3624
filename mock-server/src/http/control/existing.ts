import type { Queries } from '../../storage/port.ts';
import { findDeliveriesOfEvent, findDeliveryAnywhere } from '../../storage/statements/deliveries/read.ts';
import { findEndpointAnywhere } from '../../storage/statements/endpoints.ts';
import { findOrganization, findUser } from '../../storage/statements/organizations.ts';
import { findWorkspace } from '../../storage/statements/workspaces.ts';
import { found } from '../errors.ts';

const existing =
  <Row>(what: string, find: (queries: Queries, id: string) => Promise<Row | undefined>) =>
  async (queries: Queries, id: string): Promise<Row> =>
    found(await find(queries, id), what, id);

export const existingOrganization = existing('organization', findOrganization);
export const existingWorkspace = existing('workspace', findWorkspace);
export const existingUser = existing('user', findUser);
export const existingDelivery = existing('webhook delivery', findDeliveryAnywhere);
export const existingDeliveriesOfEvent = existing('event', findDeliveriesOfEvent);
export const existingEndpoint = existing('webhook endpoint', findEndpointAnywhere);
