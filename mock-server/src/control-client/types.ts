import type { Event, EventSubject, Role } from '@svc/contract';

// The input and output of the control API's calls, with the field names of the JSON.

/** An organization of the service. */
export interface ControlOrganization {
  id: string;
  slug: string;
  name: string;
  logo: string | null;
}

/** A user of the service. */
export interface ControlUser {
  id: string;
  email: string;
  name: string;
}

/** A role in one workspace. `None` denies access. */
export type WorkspaceOverride = Role | 'None';

/** A new organization. */
export interface CreateOrganizationInput {
  name: string;
  /** Default: made from the name. */
  slug?: string | undefined;
  logo?: string | null | undefined;
}

/** A new workspace in an organization. Omitted fields get the service's defaults. */
export interface CreateWorkspaceInput {
  organizationId: string;
  name: string;
  slug?: string | undefined;
  image?: string | null | undefined;
  timezone?: string | null | undefined;
  weekStartsOn?: number | null | undefined;
}

/**
 * A new credential: an API key of one workspace, or a personal access token of one user. Default: a test credential.
 */
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

/** The identity of a session. URLs in its responses begin with `baseUrl`. `admin` needs the admin token. */
export type CreateSessionInput =
  | { userId: string; baseUrl: string }
  | { workspaceId: string; baseUrl: string }
  | { admin: true };

/** The virtual clock: its time (ISO 8601), and whether it is frozen. */
export interface ClockReading {
  now: string;
  /** How far the clock is ahead of the real time. */
  offsetMs: number;
  frozen: boolean;
}

/**
 * One change of the clock. `advance` takes a duration such as `90m` or `1d`. `set` takes a time (ISO 8601). `reset`
 * returns to real time.
 */
export type ClockChange = { advance: string } | { set: string } | { freeze: true } | { resume: true } | { reset: true };

/** The time after a change of the clock. */
export interface ClockChanged {
  now: string;
  /** The work that fell due on the way and was done. */
  ran: { attempts: number; evaluations: number };
}

/** The work that is left. Times are ISO 8601. */
export interface Settled {
  settled: boolean;
  /** Due and not in flight on this server. */
  pending: number;
  inFlight: number;
  nextDueAt: string | null;
}

/** An event to create. */
export interface NewEventInput {
  workspaceId: string;
  type: string;
  /**
   * What the event is about. Default for `lifecycle.evaluated`: the workspace. `webhook.endpoint.auto_disabled` needs an
   * endpoint, and `webhook.ping` has no subject.
   */
  subject?: EventSubject | undefined;
}

/** A stored event, with a delivery for each endpoint that subscribes to it. */
export interface TriggeredEvent {
  event: Event;
  deliveries: { id: string; endpointId: string; status: string }[];
}

/** The status of a delivery (service document, "Webhooks"). */
export type DeliveryState = 'pending' | 'success' | 'failed' | 'disabled';

/** A delivery at the end of a wait. */
export interface SeenDelivery {
  id: string;
  endpointId: string;
  status: string;
  /** Finished attempts. */
  attempt: number;
}

/** What to wait for: one delivery, or the deliveries of one event. The call fails with 408 after `timeoutMs`. */
export interface WaitInput {
  deliveryId?: string | undefined;
  eventId?: string | undefined;
  endpointId?: string | undefined;
  /** The status to wait for. Default: any status except `pending`. */
  status?: DeliveryState | undefined;
  timeoutMs?: number | undefined;
}

/** One attempt of a delivery, from the log. */
export interface LoggedAttempt {
  /** Starts at 1. */
  number: number;
  startedAt: string;
  endedAt: string;
  request: { url: string; headers: Record<string, string>; body: unknown; bodyText: string | null };
  response: { status: number; headers: Record<string, string>; body: string | null } | null;
  responseTimeMs: number;
  error: string | null;
  /** Whether the result arrived after its lease was lost. Such an attempt changes nothing. */
  late: boolean;
}

/** Why a delivery is in its state, and what comes next. */
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

/** A notification of one user. */
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
  /** The operation that answered. Null if no route matched. */
  operation: string | null;
  credentialId: string | null;
  workspaceId: string | null;
  /** The fault that struck the request. */
  faultId: string | null;
  /** At most 16 KiB, with secrets redacted. Null in the strict profile. */
  requestBody: string | null;
  responseBody: string | null;
}

/** The requests to list. `path` is a prefix. `status` can be a class such as `4xx`. */
export interface RequestFilters {
  method?: string | undefined;
  status?: string | undefined;
  path?: string | undefined;
  workspaceId?: string | undefined;
  credentialId?: string | undefined;
}

/** One page of a list. The URLs lead to the neighboring pages and are null at the ends. */
export interface ControlPage<Item> {
  data: Item[];
  nextPageUrl: string | null;
  previousPageUrl: string | null;
}

/** The page of a list to read. `page` is the token from a page's URL. */
export interface PageInput {
  /** 1 to 100. Default: 20. */
  limit?: number | undefined;
  page?: string | undefined;
}

/** What is lost: the message itself (`true`), or only its answer after the message took effect (`answer`). */
export type FaultLoss = true | 'answer';

/**
 * What a fault does: wait, answer with a status, reset the connection, or drop the message. Delays are in milliseconds.
 */
export interface ApiFaultEffect {
  delayMs?: number | undefined;
  status?: number | undefined;
  reset?: FaultLoss | undefined;
  drop?: FaultLoss | undefined;
}

/** What a fault does to deliveries. It can also send one twice, or after the next one. */
export interface DeliveryFaultEffect extends ApiFaultEffect {
  duplicate?: true | undefined;
  reorder?: true | undefined;
}

/** How often a fault strikes. */
export interface FaultDraws {
  /** The maximum number of strikes. Default: no limit. */
  times?: number | null | undefined;
  /** The probability that it strikes a match, above 0 and up to 1. */
  probability?: number | undefined;
  /** The same number gives the same strikes in every run. */
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

/** An active fault, with its counts. */
export interface InjectedFault {
  id: string;
  target: 'api' | 'delivery';
  match: Record<string, unknown>;
  effect: DeliveryFaultEffect;
  times: number | null;
  /** Strikes left. Null means no limit. */
  remaining: number | null;
  probability: number;
  randomSeed: number;
  matched: number;
  struck: number;
}
