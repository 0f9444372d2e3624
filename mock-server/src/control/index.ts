/** The types of the control API's JSON, for programs that call it over HTTP. Contains no code. */
export type { ControlDataSource, ControlProfile } from '../control-client/lifecycle-types.ts';
export type { ControlRequest, DeliveryExplanation, InjectedFault, LoggedAttempt } from '../control-client/types.ts';
export type { Sync as ProfileSync } from '../domain/profiles/data-source.ts';
export type { Evaluation as ControlEvaluation } from '../domain/profiles/evaluation.ts';
export type { ImportResult as ImportedProfiles } from '../domain/profiles/import-result.ts';
export type { LifecycleState as ProfileState } from '../domain/profiles/state.ts';
export type { ServerInfo, SessionCredential } from './server.ts';
export type { ChangesMessage, HelloMessage, StreamClock } from './stream.ts';
export type { FoundId, OrganizationItem, OrganizationMember, OrganizationWorkspace, UserItem } from './tenants.ts';
export type {
  CompactDelivery,
  CredentialItem,
  DeliveryReplays,
  EndpointActivity,
  EndpointSecret,
  EndpointState,
  EndpointStateDetail,
  EventDelivery,
  SignedNow,
} from './webhooks.ts';
