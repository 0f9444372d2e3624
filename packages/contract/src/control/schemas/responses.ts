import * as z from 'zod';
import { EventSchema } from '../../schemas/event.ts';
import { WorkspaceSchema } from '../../schemas/workspace.ts';
import type { ControlOperationName, ControlResponseOf } from '../operation-types.ts';
import { controlResources as of } from './resources.ts';

const list = <Item extends z.ZodType>(item: Item) =>
  z.object({ data: z.array(item), nextPageUrl: z.string().nullable(), previousPageUrl: z.string().nullable() });
const done = z.object({ ok: z.literal(true) });
const anyObject = z.record(z.string(), z.unknown());

/**
 * The schemas of the control API's responses. For the stream, the schema describes one message. For the export, the
 * schema describes one line. The server uses these schemas only for the OpenAPI document.
 */
export const controlResponses = {
  reset: z.object({ credentials: z.array(of.ControlCredential) }),
  readClock: of.ClockReading,
  changeClock: of.ClockChanged,
  settle: of.Settled,
  wait: z.object({ deliveries: z.array(of.SeenDelivery) }),
  createEvent: z.union([of.TriggeredEvent, of.TriggeredEvents]),
  listDeliveriesOfEvent: z.object({ deliveries: z.array(of.EventDelivery) }),
  createOrganization: z.object({ organization: of.ControlOrganization }),
  listOrganizations: list(of.OrganizationItem),
  createWorkspace: z.object({ workspace: WorkspaceSchema }),
  createUser: z.object({ user: of.ControlUser }),
  listUsers: list(of.ControlUser),
  listMembers: list(of.OrganizationMember),
  setOrganizationRole: done,
  setWorkspaceOverride: done,
  createCredential: of.CreatedCredential,
  listCredentials: list(of.CredentialItem),
  revokeCredential: done,
  createSession: of.SessionCredential,
  importProfiles: of.ImportedProfiles,
  listProfiles: list(of.ControlProfile),
  readProfile: z.object({ profile: of.ControlProfile }),
  deleteProfile: done,
  readDataSource: z.object({ dataSource: of.ControlDataSource }),
  setDataSource: z.object({ dataSource: of.ControlDataSource }),
  syncDataSource: z.object({ sync: of.ProfileSync }),
  evaluate: z.object({ evaluation: of.ControlEvaluation, event: EventSchema }),
  listEvaluations: list(of.ControlEvaluation),
  readSchedule: of.WorkspaceSchedule,
  listAttempts: z.object({ attempts: z.array(of.LoggedAttempt) }),
  explainDelivery: z.object({ explanation: of.DeliveryExplanation }),
  listReplays: of.DeliveryReplays,
  signDelivery: of.SignedNow,
  listEndpoints: list(of.EndpointState),
  readEndpoint: z.object({ endpoint: of.EndpointStateDetail }),
  readListenSecret: z.object({ secret: z.string() }),
  useListenSecret: z.object({ secret: z.string() }),
  readActivity: of.EndpointActivity,
  listNotifications: list(of.ControlNotification),
  listRequests: list(of.ControlRequest),
  readRequest: z.object({ request: of.ControlRequest }),
  createFault: z.object({ fault: of.InjectedFault }),
  listFaults: z.object({ faults: z.array(of.InjectedFault) }),
  clearFaults: done,
  endFault: done,
  saveSnapshot: done,
  restoreSnapshot: done,
  listSnapshots: z.object({ snapshots: z.array(of.SavedSnapshot) }),
  deleteSnapshot: done,
  readInfo: of.ServerInfo,
  find: of.FoundId,
  readStream: of.StreamMessage,
  exportData: anyObject,
  readSeedSchema: anyObject,
  readOpenApi: anyObject,
} satisfies { [Name in ControlOperationName]: z.ZodType<ControlResponseOf<Name>> };
