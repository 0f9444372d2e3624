import type { Event } from '@svc/contract';
import type { Hono } from 'hono';
import type { ReceiverRules } from '../domain/endpoint-url.ts';
import type { DeliveryOnNode } from '../domain/explain-delivery.ts';
import type { MasterKey } from '../domain/master-key.ts';
import type { NodeRole } from '../domain/node-role.ts';
import type { PageTokens } from '../domain/page-token.ts';
import type { DataSource, Sync } from '../domain/profiles/data-source.ts';
import type { Evaluation } from '../domain/profiles/evaluation.ts';
import type { ImportFormat, ImportResult } from '../domain/profiles/import-result.ts';
import type { Random } from '../domain/random.ts';
import type { AddressRules } from '../domain/receiver-address.ts';
import type { Session, SessionSubject } from '../domain/session.ts';
import type { Changes } from '../runtime/changes.ts';
import type { Ids } from '../runtime/ids.ts';
import type { Logger } from '../runtime/logger.ts';
import type { Metrics, WorkReading } from '../runtime/metrics.ts';
import type { Catalog } from '../state/catalog.ts';
import type { Faults } from '../state/faults.ts';
import type { ReplaceData } from '../state/replace-data.ts';
import type { SnapshotStorage } from '../storage/port.ts';
import type { IssuedCredential } from '../storage/seed/apply.ts';
import type { VirtualClock } from '../time/clock.ts';
import type { Timeline } from '../time/timeline.ts';
import type { ExportSlots } from './control/export-slots.ts';
import type { WrongTokens } from './control/wrong-tokens.ts';
import type { FairShare } from './fair-share.ts';
import type { IgnoredInput } from './ignored-warnings.ts';
import type { Intake } from './intake.ts';
import type { RateLimiter } from './rate-limiter.ts';
import type { ReceivedRequests } from './received-requests.ts';
import type { Turns } from './turns.ts';

/** What the HTTP side needs from the rest of the server. `context.ts` passes it in. */
export interface Services {
  storage: SnapshotStorage;
  /** All writes that create deliveries go through the intake. */
  intake: Intake;
  clock: VirtualClock;
  ids: Ids;
  /** Ids of requests. These ids use the real clock, so they reveal no virtual time. */
  requestIds: Pick<Ids, 'nextBare'>;
  masterKey: MasterKey;
  random: Random;
  pageTokens: PageTokens;
  logger: Logger;
  metrics: Metrics;
  /** Reads the due work for the metrics. */
  readWork(): Promise<WorkReading>;
  rateLimiter: RateLimiter | undefined;
  turns: Turns;
  fairShare: FairShare;
  receivedRequests: ReceivedRequests;
  /** Warns in the log about unknown input of a request. */
  warnIgnored(input: IgnoredInput): void;
  catalog: Catalog;
  /** Base of absolute URLs, without a trailing slash. */
  publicUrl(): string;
  /** The parts of the service that this node runs. */
  roles: readonly NodeRole[];
  /** Whether the server uses the local profile. */
  local: boolean;
  /** In tests, the only addresses besides loopback that receivers may have. */
  onlyAlso?: ReceiverRules['onlyAlso'];
  /** Which addresses receivers may have. */
  addresses: AddressRules;
  /** Whether the demo credentials, which everyone knows, work. */
  demoCredentials: boolean;
  adminToken: string | undefined;
  /** Redacts all credentials and secrets in a string, for logs. */
  redact(text: string): string;
  /** Slows down attempts to guess the admin token. */
  wrongTokens: WrongTokens;
  /** Sessions of the dashboard's page. */
  sessions: Sessions;
  /** The dashboard's page and its files. */
  dashboard: { register(app: Hono): void };
  /** Collects changes for pages that show them. */
  changes: Changes;
  about: About;
  /** Origins whose pages may call `/v1`. */
  cors: readonly string[];
  /**
   * Whether the control API accepts this `Host` value. A server that runs in-process, without a
   * listening socket, accepts every value.
   */
  isOwnHost(host: string): boolean;
  /** Whether the control API accepts a page of this `Origin`. */
  isOwnOrigin(origin: string): boolean;
  /** Like `isOwnHost`, but for `/v1`. */
  isApiHost(host: string): boolean;
  /** Whether the server is shutting down. It then rejects new requests on open connections. */
  draining(): boolean;
  /** Informs the engine that deliveries were queued. */
  wakeDelivery(): void;
  /** Informs the engine that an endpoint's URL, status or secrets have changed. */
  endpointChanged(endpointId: string): void;
  /** The state of a delivery on this node, and the maximum number of attempts. */
  findOnNode(delivery: {
    id: string;
    endpointId: string;
    workspaceId: string;
  }): DeliveryOnNode & { attemptsMax: number };
  timeline: Timeline;
  lifecycle: Lifecycle;
  faults: Faults;
  /** Saves and restores all data, on all nodes. */
  snapshots: Pick<ReplaceData, 'save' | 'restore'>;
  exportSlots: ExportSlots;
  /** Wipes the database and applies a seed. Default: the demo seed. */
  reset(seed: unknown): Promise<IssuedCredential[]>;
  health: { ready(): Promise<string | undefined> };
}

/** Issues and reads the credentials of the dashboard's page. */
export interface Sessions {
  /** `expiresAt` is on the real clock. */
  issue(subject: SessionSubject, baseUrl: string): Promise<{ credential: string; expiresAt: number }>;
  /** Returns `undefined` if the string is not the credential of a valid session. */
  read(text: string): Promise<Session | undefined>;
}

/** Facts about this server. */
export interface About {
  version: string;
  database: 'sqlite' | 'postgresql';
  /** Identifies this process. */
  instanceId: string;
  /** Credentials of the current seed whose text is known. */
  credentials(): readonly IssuedCredential[];
}

/** Profiles, data sources and evaluations. */
export interface Lifecycle {
  /**
   * Imports profiles from a stream, in batches. Each batch is a transaction.
   *
   * @throws {@link ImportError} if the data does not have this format. Earlier batches stay stored.
   */
  importProfiles(workspaceId: string, chunks: AsyncIterable<Uint8Array>, format: ImportFormat): Promise<ImportResult>;
  /** Runs one cycle now. If one is running, waits for it first. */
  evaluate(workspaceId: string): Promise<{ evaluation: Evaluation; event: Event }>;
  /** Reads a data source now. */
  sync(workspaceId: string, source: Exclude<DataSource, { kind: 'push' }>): Promise<Sync>;
  /** Call this when the due work, or its time, has changed. */
  wake(): void;
}
