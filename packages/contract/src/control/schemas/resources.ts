import * as z from 'zod';
import { CREDENTIAL_KINDS } from '../../credentials.ts';
import { DELIVERY_STATUSES } from '../../resources/webhook-delivery.ts';
import { EventSchema } from '../../schemas/event.ts';
import { mayBeAbsent, timestamp } from '../../schemas/primitives.ts';
import type * as types from '../resources/index.ts';
import { EVALUATION_TRIGGERS, EXPLANATION_REASONS, FOUND_TYPES, LIFECYCLE_STATES } from '../values.ts';
import { apiEffect, apiMatch, deliveryEffect, deliveryMatch } from './faults.ts';

const text = z.string();
const state = z.enum(LIFECYCLE_STATES);
const headers = z.record(text, text);
const time = timestamp.nullable();

const ControlOrganization = z.object({ id: text, slug: text, name: text, logo: text.nullable() });
const ControlUser = z.object({ id: text, email: text, name: text });
const OrganizationWorkspace = z.object({
  id: text,
  slug: text,
  name: text,
  image: text.nullable(),
  timezone: text.nullable(),
  weekStartsOn: z.int().nullable(),
});
const ControlCredential = z.object({
  kind: z.enum(CREDENTIAL_KINDS),
  name: text,
  credential: text,
  workspaceId: text.nullable(),
  role: text.nullable(),
});
const EventDelivery = z.object({
  id: text,
  endpointId: text,
  status: text,
  attempt: z.int(),
  createdAt: timestamp,
});
const EndpointState = z.object({
  id: text,
  workspaceId: text,
  active: z.boolean(),
  consecutiveFailures: z.int(),
  failuresUntilDisabled: z.int().nullable(),
  disabledAt: time,
  nextDueAt: time,
});
const EndpointSecret = z.object({
  id: text,
  preview: text,
  createdAt: timestamp,
  expiresAt: time,
  pinned: z.boolean(),
});
const CompactDelivery = z.object({ id: text, status: text, createdAt: timestamp });
const TriggeredEvent = z.object({
  event: EventSchema,
  deliveries: z.array(z.object({ id: text, endpointId: text, status: text })),
});
const ImportProblem = z.object({ line: z.int(), message: text });
const ProfileSync = z.object({
  startedAt: timestamp,
  finishedAt: timestamp,
  upserted: z.int(),
  rejected: z.int(),
  problems: z.array(ImportProblem),
  error: text.nullable(),
});
const Scores = z.object({ engagement: z.int(), churnRisk: z.int() });
const Signals = z.object({
  daysSinceLastSeen: z.int(),
  daysSinceFirstSeen: z.int(),
  activeDaysLast7: z.int(),
  activeDaysLast28: z.int(),
  activeDaysThisWeek: z.int(),
  activeDaysLastWeek: z.int(),
  weekOverWeek: z.int(),
});
const StateTransition = z.object({ from: state.nullable(), to: state, profiles: z.int() });

const StreamClock = z.object({ now: timestamp, offsetMs: z.int(), frozen: z.boolean(), moving: z.boolean() });
const HelloMessage = z.object({ instanceId: text, dataId: text, version: text, clock: StreamClock });
const yes = mayBeAbsent(z.literal(true));
const count = mayBeAbsent(z.int());
const ChangesMessage = z.object({
  deliveries: mayBeAbsent(z.object({ ids: z.array(text).nullable(), count: z.int() })),
  endpoints: mayBeAbsent(z.array(text).nullable()),
  events: count,
  requests: count,
  faults: yes,
  tenants: yes,
  notifications: count,
  lifecycle: yes,
  clock: mayBeAbsent(StreamClock),
  reset: yes,
});

const ofFault = {
  id: text,
  times: z.int().nullable(),
  remaining: z.int().nullable(),
  probability: z.number(),
  randomSeed: z.int(),
  matched: z.int(),
  struck: z.int(),
};

/**
 * The schemas of the objects in the control API's responses, keyed by interface name. This file is long because it is
 * one table.
 */
export const controlResources = {
  ControlOrganization,
  ControlUser,
  OrganizationWorkspace,
  OrganizationItem: ControlOrganization.extend({
    createdAt: timestamp,
    workspaces: z.array(OrganizationWorkspace),
    moreWorkspaces: z.boolean(),
  }),
  OrganizationMember: z.object({
    user: ControlUser,
    role: text,
    overrides: z.array(z.object({ workspaceId: text, role: text })),
  }),
  CreatedCredential: z.object({ id: text, credential: text }),
  ControlCredential,
  CredentialItem: z.object({ id: text, kind: text, name: text.nullable(), test: z.boolean(), createdAt: timestamp }),
  SessionCredential: z.object({ credential: text, expiresAt: timestamp }),
  ClockReading: z.object({ now: timestamp, offsetMs: z.int(), frozen: z.boolean() }),
  ClockChanged: z.object({ now: timestamp, ran: z.object({ attempts: z.int(), evaluations: z.int() }) }),
  Settled: z.object({ settled: z.boolean(), pending: z.int(), inFlight: z.int(), nextDueAt: time }),
  SeenDelivery: z.object({ id: text, endpointId: text, status: text, attempt: z.int() }),
  TriggeredEvent,
  TriggeredEvents: z.object({ events: z.array(TriggeredEvent) }),
  LoggedAttempt: z.object({
    number: z.int(),
    startedAt: timestamp,
    endedAt: timestamp,
    request: z.object({ url: text, headers, body: z.unknown(), bodyText: text.nullable() }),
    response: z.object({ status: z.int(), headers, body: text.nullable() }).nullable(),
    responseTimeMs: z.int(),
    error: text.nullable(),
    late: z.boolean(),
  }),
  DeliveryExplanation: z.object({
    reason: z.enum(EXPLANATION_REASONS),
    sentence: text,
    status: z.enum(DELIVERY_STATUSES),
    attempt: z.int(),
    attemptsLeft: z.int(),
    laterDelaysMs: z.array(z.int()),
    nextAttemptAt: time,
    endpoint: z.object({
      id: text,
      active: z.boolean(),
      deleted: z.boolean(),
      consecutiveFailures: z.int(),
      failuresUntilDisabled: z.int().nullable(),
    }),
    clock: z.object({ now: timestamp, frozen: z.boolean() }),
  }),
  EventDelivery,
  DeliveryReplays: z.object({ original: EventDelivery.nullable(), replays: z.array(EventDelivery) }),
  SignedNow: z.object({ url: text, headers, body: text }),
  EndpointState,
  EndpointSecret,
  EndpointStateDetail: EndpointState.extend({ secrets: z.array(EndpointSecret) }),
  CompactDelivery,
  EndpointActivity: z.object({ deliveries: z.array(CompactDelivery), truncated: z.boolean() }),
  InjectedFault: z.discriminatedUnion('target', [
    z.object({ target: z.literal('api'), match: apiMatch, effect: apiEffect, ...ofFault }),
    z.object({ target: z.literal('delivery'), match: deliveryMatch, effect: deliveryEffect, ...ofFault }),
  ]),
  ImportProblem,
  ImportedProfiles: z.object({
    upserted: z.int(),
    created: z.int(),
    updated: z.int(),
    unchanged: z.int(),
    rejected: z.int(),
    problems: z.array(ImportProblem),
  }),
  Scores,
  Signals,
  ControlProfile: z.object({
    id: text,
    externalId: text,
    name: text.nullable(),
    email: text.nullable(),
    attributes: z.record(text, z.unknown()),
    firstSeenAt: timestamp,
    lastSeenAt: timestamp,
    activeDays: z.array(text),
    state: state.nullable(),
    scores: Scores.nullable(),
    signals: Signals.nullable(),
    evaluatedAt: time,
    createdAt: timestamp,
    updatedAt: timestamp,
  }),
  ProfileSync,
  ControlDataSource: z.object({
    kind: z.enum(['push', 'ndjson']),
    location: text.optional(),
    schedule: text.nullable().optional(),
    imported: z.literal(true).optional(),
    lastSync: ProfileSync.nullable(),
    nextSyncAt: time,
  }),
  StateTransition,
  ControlEvaluation: z.object({
    id: text,
    workspaceId: text,
    eventId: text,
    trigger: z.enum(EVALUATION_TRIGGERS),
    startedAt: timestamp,
    finishedAt: timestamp,
    profiles: z.int(),
    changed: z.int(),
    states: z.object({ new: z.int(), active: z.int(), at_risk: z.int(), dormant: z.int(), churned: z.int() }),
    transitions: z.array(StateTransition),
    syncError: text.nullable(),
  }),
  WorkspaceSchedule: z.object({ nextEvaluationAt: time, nextSyncAt: time }),
  ControlRequest: z.object({
    id: text,
    receivedAt: timestamp,
    method: text,
    url: text,
    headers,
    status: z.int().nullable(),
    durationMs: z.number(),
    operation: text.nullable(),
    credentialId: text.nullable(),
    workspaceId: text.nullable(),
    faultId: text.nullable(),
    ignored: z.array(text),
    requestBody: text.nullable(),
    responseBody: text.nullable(),
  }),
  ControlNotification: z.object({
    id: text,
    userId: text,
    workspaceId: text,
    type: text,
    endpointId: text.nullable(),
    createdAt: timestamp,
    readAt: time,
  }),
  ServerInfo: z.object({
    version: text,
    profile: z.enum(['local', 'strict']),
    database: z.enum(['sqlite', 'postgresql']),
    roles: z.array(text),
    publicUrl: text,
    instanceId: text,
    credentials: z.array(ControlCredential),
  }),
  SavedSnapshot: z.object({ name: text, createdAt: timestamp }),
  FoundId: z.object({
    id: text,
    type: z.enum(FOUND_TYPES),
    organizationId: text.nullable(),
    workspaceId: text.nullable(),
    parentId: text.nullable(),
  }),
  StreamClock,
  HelloMessage,
  ChangesMessage,
  StreamMessage: z.discriminatedUnion('event', [
    z.object({ event: z.literal('hello'), data: HelloMessage }),
    z.object({ event: z.literal('changed'), data: ChangesMessage }),
  ]),
} satisfies { [Name in keyof Resources]: z.ZodType<Resources[Name]> };

interface Resources {
  ControlOrganization: types.ControlOrganization;
  ControlUser: types.ControlUser;
  OrganizationWorkspace: types.OrganizationWorkspace;
  OrganizationItem: types.OrganizationItem;
  OrganizationMember: types.OrganizationMember;
  CreatedCredential: types.CreatedCredential;
  ControlCredential: types.ControlCredential;
  CredentialItem: types.CredentialItem;
  SessionCredential: types.SessionCredential;
  ClockReading: types.ClockReading;
  ClockChanged: types.ClockChanged;
  Settled: types.Settled;
  SeenDelivery: types.SeenDelivery;
  TriggeredEvent: types.TriggeredEvent;
  TriggeredEvents: types.TriggeredEvents;
  LoggedAttempt: types.LoggedAttempt;
  DeliveryExplanation: types.DeliveryExplanation;
  EventDelivery: types.EventDelivery;
  DeliveryReplays: types.DeliveryReplays;
  SignedNow: types.SignedNow;
  EndpointState: types.EndpointState;
  EndpointSecret: types.EndpointSecret;
  EndpointStateDetail: types.EndpointStateDetail;
  CompactDelivery: types.CompactDelivery;
  EndpointActivity: types.EndpointActivity;
  InjectedFault: types.InjectedFault;
  ImportProblem: types.ImportProblem;
  ImportedProfiles: types.ImportedProfiles;
  Scores: types.Scores;
  Signals: types.Signals;
  ControlProfile: types.ControlProfile;
  ProfileSync: types.ProfileSync;
  ControlDataSource: types.ControlDataSource;
  StateTransition: types.StateTransition;
  ControlEvaluation: types.ControlEvaluation;
  WorkspaceSchedule: types.WorkspaceSchedule;
  ControlRequest: types.ControlRequest;
  ControlNotification: types.ControlNotification;
  ServerInfo: types.ServerInfo;
  SavedSnapshot: types.SavedSnapshot;
  FoundId: types.FoundId;
  StreamClock: types.StreamClock;
  HelloMessage: types.HelloMessage;
  ChangesMessage: types.ChangesMessage;
  StreamMessage: types.StreamMessage;
}
