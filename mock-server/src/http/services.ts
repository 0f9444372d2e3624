import type { Event, EventTypeItem } from '@svc/contract';
import type { DeliveryOnNode } from '../domain/explain-delivery.ts';
import type { Fault, FaultSubject } from '../domain/fault.ts';
import type { MasterKey } from '../domain/master-key.ts';
import type { NodeRole } from '../domain/node-role.ts';
import type { PageTokens } from '../domain/page-token.ts';
import type { DataSource, Sync } from '../domain/profiles/data-source.ts';
import type { Evaluation } from '../domain/profiles/evaluation.ts';
import type { ImportFormat, ImportResult } from '../domain/profiles/import-result.ts';
import type { Random } from '../domain/random.ts';
import type { AddressRules } from '../domain/receiver-address.ts';
import type { VirtualClock } from '../runtime/clock.ts';
import type { Ids } from '../runtime/ids.ts';
import type { Logger } from '../runtime/logger.ts';
import type { Metrics } from '../runtime/metrics.ts';
import type { SnapshotStorage } from '../storage/port.ts';
import type { IssuedCredential } from '../storage/seed/apply.ts';
import type { Intake } from './intake.ts';
import type { RateLimiter } from './rate-limiter.ts';
import type { ReceivedRequests } from './received-requests.ts';

/** What the HTTP side asks of the rest of the server. The composition root hands it in. */
export interface Services {
  storage: SnapshotStorage;
  /** By which everything is written that makes deliveries. */
  intake: Intake;
  clock: VirtualClock;
  ids: Ids;
  /** Ids of requests: by the real clock, so that no virtual time can take the way back to a server. */
  requestIds: Pick<Ids, 'nextBare'>;
  masterKey: MasterKey;
  random: Random;
  pageTokens: PageTokens;
  logger: Logger;
  metrics: Metrics;
  rateLimiter: RateLimiter | undefined;
  receivedRequests: ReceivedRequests;
  catalog: Catalog;
  /** Base of absolute URLs, without a slash at its end. */
  publicUrl(): string;
  /** Which parts of the service this node runs. */
  roles: readonly NodeRole[];
  /** Whether the server runs in its local profile. */
  local: boolean;
  /** Which addresses receivers may have. */
  addresses: AddressRules;
  adminToken: string | undefined;
  /** Origins whose pages may call `/v1`. */
  cors: readonly string[];
  /** Whether this is a `Host` value under which the control API answers. */
  isOwnHost(host: string): boolean;
  /** Whether the server is shutting down: what still comes on open connections is refused. */
  draining(): boolean;
  /** Tells the engine that deliveries were enqueued. */
  wakeDelivery(): void;
  /** Tells the engine that an endpoint's URL, activity or secrets are others now. */
  endpointChanged(endpointId: string): void;
  /** Where a delivery stands on this node, and how many attempts there are at most. */
  findOnNode(delivery: {
    id: string;
    endpointId: string;
    workspaceId: string;
  }): DeliveryOnNode & { attemptsMax: number };
  timeline: Timeline;
  lifecycle: Lifecycle;
  faults: Faults;
  snapshots: Snapshots;
  /** Wipes the database and applies a seed; the demo seed unless one is given. */
  reset(seed: unknown): Promise<IssuedCredential[]>;
  health: { live(): boolean; ready(): Promise<string | undefined> };
}

/** Saves and restores everything, on all nodes. */
export interface Snapshots {
  save(name: string): Promise<void>;
  /** @returns false if there is no such snapshot. */
  restore(name: string): Promise<boolean>;
}

/** The event catalog in force, ordered by type: the published types and those that a seed added. */
export interface Catalog {
  list(): readonly EventTypeItem[];
  types(): readonly string[];
}

/** The faults in force, over all nodes. */
export interface Faults {
  /** In the order in which they are looked at. */
  list(): Promise<readonly Fault[]>;
  add(fault: Fault): Promise<void>;
  clear(): Promise<void>;
  /** Whether any fault may still strike there; asks no database. */
  mayStrike(target: Fault['target']): boolean;
  /** The fault that strikes this subject, counted. */
  take(subject: FaultSubject): Promise<Fault | undefined>;
}

/** Profiles, data sources and evaluations. */
export interface Lifecycle {
  /**
   * Imports profiles from a stream, in batches, each a transaction.
   *
   * @throws {@link ImportError} if what comes is not of the format. What came before is stored.
   */
  importProfiles(workspaceId: string, chunks: AsyncIterable<Uint8Array>, format: ImportFormat): Promise<ImportResult>;
  /** Runs one cycle now, after the one that is under way. */
  evaluate(workspaceId: string): Promise<{ evaluation: Evaluation; event: Event }>;
  /** Reads a data source now. */
  sync(workspaceId: string, source: Exclude<DataSource, { kind: 'push' }>): Promise<Sync>;
  /** What is due, or when, has changed. */
  wake(): void;
}

/** Moves virtual time and waits for what it sets off. */
export interface Timeline {
  /** Resolves when this node's clock is current: one that was frozen reads it again first. */
  ensureCurrent(): Promise<void>;
  /** Takes over what another node did to the clock that they share. */
  refresh(): Promise<void>;
  /**
   * Runs every piece of work that falls due up to a target, in order, each at its own time, and leaves the clock there.
   *
   * @param targetFrom - The target, seen from where the clock is when no other call and no other node moves it. Where it
   *   throws, nothing is moved.
   */
  advance(targetFrom: (now: number) => number): Promise<Ran>;
  freeze(): Promise<void>;
  reset(): Promise<void>;
  /** Waits until nothing is due or in flight, at most `timeoutMs` of real time. */
  settle(timeoutMs: number): Promise<Settled>;
}

export interface Ran {
  attempts: number;
  evaluations: number;
}

export interface Settled {
  settled: boolean;
  /** Due and not in flight on this node; what is in flight on another counts. */
  pending: number;
  inFlight: number;
  nextDueAt: number | undefined;
}
