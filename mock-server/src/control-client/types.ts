import type { Event, EventSubject, Role } from '@svc/contract';

/** What one call of the control API takes and returns. The names are those of its JSON. */
export interface ControlOrganization {
  id: string;
  slug: string;
  name: string;
  logo: string | null;
}

export interface ControlUser {
  id: string;
  email: string;
  name: string;
}

/** A role in one workspace; `None` denies access. */
export type WorkspaceOverride = Role | 'None';

export interface CreateOrganizationInput {
  name: string;
  /** Made from the name by default. */
  slug?: string | undefined;
  logo?: string | null | undefined;
}

export interface CreateWorkspaceInput {
  organizationId: string;
  name: string;
  slug?: string | undefined;
  image?: string | null | undefined;
  timezone?: string | null | undefined;
  weekStartsOn?: number | null | undefined;
}

export type CreateCredentialInput = { test?: boolean | undefined; name?: string | undefined } & (
  | { kind: 'api_key'; workspaceId: string }
  | { kind: 'personal_access_token'; userId: string }
);

/** A credential in plain text. */
export interface ControlCredential {
  kind: 'api_key' | 'personal_access_token';
  name: string;
  credential: string;
  /** The workspace of an API key. */
  workspaceId: string | null;
  /** The user's role in the first organization that has the user as a member. */
  role: string | null;
}

/** Whom a session acts as; URLs in its responses begin with `baseUrl`. `admin` needs the admin token. */
export type CreateSessionInput =
  | { userId: string; baseUrl: string }
  | { workspaceId: string; baseUrl: string }
  | { admin: true };

export interface ClockReading {
  now: string;
  /** How far the clock is ahead of the real time. */
  offsetMs: number;
  frozen: boolean;
}

export type ClockChange = { advance: string } | { set: string } | { freeze: true } | { resume: true } | { reset: true };

export interface ClockChanged {
  now: string;
  /** What ran because it fell due on the way. */
  ran: { attempts: number; evaluations: number };
}

export interface Settled {
  settled: boolean;
  /** Due and not in flight on this server. */
  pending: number;
  inFlight: number;
  nextDueAt: string | null;
}

export interface NewEventInput {
  workspaceId: string;
  type: string;
  /** What the event is about. For `lifecycle.evaluated` it is the workspace by default. */
  subject?: EventSubject | undefined;
}

/** An event that was stored, with a delivery for each endpoint that subscribes to it. */
export interface TriggeredEvent {
  event: Event;
  deliveries: { id: string; endpointId: string; status: string }[];
}

export type DeliveryState = 'pending' | 'success' | 'failed' | 'disabled';

/** A delivery as a wait saw it. */
export interface SeenDelivery {
  id: string;
  endpointId: string;
  status: string;
  /** Finished attempts. */
  attempt: number;
}

export interface WaitInput {
  deliveryId?: string | undefined;
  eventId?: string | undefined;
  endpointId?: string | undefined;
  /** The status to wait for; by default any that is not `pending`. */
  status?: DeliveryState | undefined;
  timeoutMs?: number | undefined;
}

/** One attempt of a delivery, as the log has it. */
export interface LoggedAttempt {
  /** 1 for the first. */
  number: number;
  startedAt: string;
  endedAt: string;
  request: { url: string; headers: Record<string, string>; body: unknown; bodyText: string | null };
  response: { status: number; headers: Record<string, string>; body: string | null } | null;
  responseTimeMs: number;
  error: string | null;
  /** Whether the result came after its lease was lost, so that it changed nothing. */
  late: boolean;
}

/** Why a delivery is where it is, and what comes next. */
export interface DeliveryExplanation {
  reason: string;
  sentence: string;
  status: DeliveryState;
  attempt: number;
  attemptsLeft: number;
  nextAttemptAt: string | null;
  endpoint: {
    id: string;
    active: boolean;
    deleted: boolean;
    consecutiveFailures: number;
    failuresUntilDisabled: number | null;
  };
  clock: { now: string; frozen: boolean };
}

export interface ControlNotification {
  id: string;
  userId: string;
  workspaceId: string;
  type: string;
  endpointId: string | null;
  createdAt: string;
  readAt: string | null;
}

/** A request to the API, with credentials redacted. */
export interface ControlRequest {
  id: string;
  receivedAt: string;
  method: string;
  url: string;
  headers: Record<string, string>;
  /** Null if a fault cut the connection. */
  status: number | null;
  durationMs: number;
  /** The operation that answered; null if no route was found. */
  operation: string | null;
  credentialId: string | null;
  workspaceId: string | null;
  /** The fault that struck. */
  faultId: string | null;
  /** At most 16 KiB, secrets redacted; null in the strict profile. */
  requestBody: string | null;
  responseBody: string | null;
}

/** Which requests to list: `path` by its beginning, `status` also as a class such as `4xx`. */
export interface RequestFilters {
  method?: string | undefined;
  status?: string | undefined;
  path?: string | undefined;
  workspaceId?: string | undefined;
  credentialId?: string | undefined;
}

export interface ControlPage<Item> {
  data: Item[];
  nextPageUrl: string | null;
  previousPageUrl: string | null;
}

export interface PageInput {
  /** 1 to 100; 20 by default. */
  limit?: number | undefined;
  page?: string | undefined;
}

/** Whether a message is lost on its way there (`true`), or arrives and its answer is lost (`answer`). */
export type FaultLoss = true | 'answer';

export interface ApiFaultEffect {
  delayMs?: number | undefined;
  status?: number | undefined;
  reset?: FaultLoss | undefined;
  drop?: FaultLoss | undefined;
}

export interface DeliveryFaultEffect extends ApiFaultEffect {
  duplicate?: true | undefined;
  reorder?: true | undefined;
}

/** How often a fault strikes. */
export interface FaultDraws {
  /** How often it strikes at most; without end by default. */
  times?: number | null | undefined;
  /** How likely it strikes a match, above 0 up to 1. */
  probability?: number | undefined;
  /** The same number draws the same strikes in every run. */
  randomSeed?: number | undefined;
}

/** A fault to inject. */
export type FaultInput = FaultDraws &
  (
    | {
        target: 'api';
        match?:
          | {
              method?: 'GET' | 'POST' | 'PATCH' | 'DELETE' | undefined;
              path?: string | undefined;
              workspaceId?: string | undefined;
            }
          | undefined;
        effect: ApiFaultEffect;
      }
    | {
        target: 'delivery';
        match?:
          | {
              endpointId?: string | undefined;
              workspaceId?: string | undefined;
              eventType?: string | undefined;
              attempt?: number | undefined;
            }
          | undefined;
        effect: DeliveryFaultEffect;
      }
  );

/** A fault that is in force, with its counts. */
export interface InjectedFault {
  id: string;
  target: 'api' | 'delivery';
  match: Record<string, unknown>;
  effect: DeliveryFaultEffect;
  times: number | null;
  /** Strikes left; null if it strikes without end. */
  remaining: number | null;
  probability: number;
  randomSeed: number;
  matched: number;
  struck: number;
}
