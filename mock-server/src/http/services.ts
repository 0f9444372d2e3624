import { randomUUID } from 'node:crypto';
import type { Event } from '@svc/contract';
import { createRedaction } from '../domain/credential.ts';
import type { ReceiverRules } from '../domain/endpoint-url.ts';
import type { DeliveryOnNode } from '../domain/explain-delivery.ts';
import type { Instant } from '../domain/instant.ts';
import type { MasterKey } from '../domain/master-key.ts';
import type { NodeRole } from '../domain/node-role.ts';
import { createPageTokens } from '../domain/page-token.ts';
import type { Sync } from '../domain/profiles/data-source.ts';
import type { Evaluation } from '../domain/profiles/evaluation.ts';
import type { ImportFormat, ImportResult } from '../domain/profiles/profile-import.ts';
import type { Random } from '../domain/random.ts';
import type { ChangeStream } from '../runtime/change-stream.ts';
import { createIds, type Ids } from '../runtime/ids.ts';
import type { Logger } from '../runtime/logger.ts';
import type { Metrics } from '../runtime/metrics.ts';
import { createThrottle } from '../runtime/throttle.ts';
import type { Catalog } from '../state/catalog.ts';
import type { Faults } from '../state/faults.ts';
import type { ReplaceData } from '../state/replace-data.ts';
import type { SameData } from '../storage/checked-writes.ts';
import type { SnapshotStorage } from '../storage/port.ts';
import type { IssuedCredential } from '../storage/seed/issued-credential.ts';
import { findSetting } from '../storage/statements/settings.ts';
import type { ReadOnlyClock } from '../time/clock.ts';
import type { Timeline } from '../time/virtual-time.ts';
import { createWrongTokens } from './control/wrong-tokens.ts';
import type { Intake } from './intake.ts';
import { createLimits } from './limits.ts';
import { createRequestLog } from './request-log.ts';
import { createSessions } from './sessions.ts';

/** What handlers need from other parts of the server. */
interface Parts extends ReceiverRules {
  /** Read-only: writes need the checks of {@link RequestServices}. */
  storage: Pick<SnapshotStorage, 'read'>;
  /** Returns parts whose writes fail if the data has been replaced since `sameData` was created. */
  onSameData(sameData: SameData): { storage: SnapshotStorage; lifecycle: Lifecycle };
  intake: Intake;
  clock: ReadOnlyClock;
  ids: Ids;
  masterKey: MasterKey;
  random: Random;
  logger: Logger;
  metrics: Metrics;
  catalog: Catalog;
  /** Returns the public URL, without a trailing slash. */
  publicUrl(): string;
  roles: readonly NodeRole[];
  /** Whether the server accepts the demo credentials, which everyone knows. */
  demoCredentials: boolean;
  adminToken?: string | undefined;
  changes: ChangeStream;
  /** The origins of web pages that may call `/v1`. */
  cors: readonly string[];
  /** Whether the control API accepts this `Host`. Without a listening socket, every value is accepted. */
  isOwnHost(host: string): boolean;
  isOwnOrigin(origin: string): boolean;
  isApiHost(host: string): boolean;
  draining(): boolean;
  /** Call this after deliveries have been queued. */
  wakeDelivery(): void;
  /** Call this after a change to an endpoint's URL, status or secrets. */
  endpointChanged(endpointId: string): void;
  retryDelaysMs: readonly number[];
  timeline: Timeline;
  faults: Faults;
  snapshots: Pick<ReplaceData, 'save' | 'restore'>;
  /** Without `seed`, applies the seed that an empty database gets at startup. */
  reset(seed: unknown, caller: AbortSignal): Promise<IssuedCredential[]>;
}

interface Lifecycle {
  /** @throws {@link ImportError} if the data has another format. Batches stored before the error are kept. */
  importProfiles(workspaceId: string, chunks: AsyncIterable<Uint8Array>, format: ImportFormat): Promise<ImportResult>;
  /** First waits until other work on this workspace has ended. */
  evaluate(workspaceId: string): Promise<{ evaluation: Evaluation; event: Event }>;
  /** Returns `undefined` if the workspace has no source that can be read. */
  sync(workspaceId: string): Promise<Sync | undefined>;
  /** Call this after a change that makes work due, or that changes when work becomes due. */
  wake(): void;
}

/** The input of {@link createServices}: {@link Parts}, and members that handlers do not get. */
interface Sources extends Parts {
  engine: {
    status(): Promise<{ inFlight: number; due: number; oldestDueAt: Instant | undefined }>;
    findOnNode(delivery: { id: string; endpointId: string; workspaceId: string }): DeliveryOnNode;
    isHealthy(): boolean;
  };
  evaluator: { countDue(): Promise<number> };
  settings: { isStale(): boolean };
  /** @throws if the disk of the database has failed. */
  checkDisk: (() => void) | undefined;
  version(): string;
  credentials(): readonly IssuedCredential[];
  databaseUrl?: string | undefined;
  dataDir: string | null;
  rateLimit: boolean;
}

export type Services = ReturnType<typeof createServices>;

/** The services for one request. Writes fail if a reset or a restore replaces the data during the request. */
export type RequestServices = Services & ReturnType<Services['onSameData']>;

/** The services for the handlers of `/v1`, which cannot read the admin token, move the clock or replace the data. */
export type ApiServices = Pick<
  RequestServices,
  'storage' | 'intake' | 'ids' | 'masterKey' | 'random' | 'catalog' | 'pageTokens' | 'publicUrl' | keyof ReceiverRules
> & { clock: Pick<ReadOnlyClock, 'now'>; lifecycle: Pick<Lifecycle, 'wake'> };

export function createServices({ engine, evaluator, settings, checkDisk, version, credentials, ...parts }: Sources) {
  const { storage, masterKey, adminToken } = parts;
  const redact = createRedaction(adminToken);
  const database: 'sqlite' | 'postgresql' = parts.databaseUrl === undefined ? 'sqlite' : 'postgresql';
  return {
    ...parts,
    async readWork() {
      const { inFlight, due, oldestDueAt } = await engine.status();
      const lagMs = oldestDueAt === undefined ? 0 : Math.max(0, parts.clock.now() - oldestDueAt);
      return { inFlight, due, lagMs, evaluationsDue: await evaluator.countDue() };
    },
    findOnNode: (delivery: Parameters<typeof engine.findOnNode>[0]) => engine.findOnNode(delivery),
    /** Returns why the server is not ready. */
    async whyNotReady(): Promise<string | undefined> {
      checkDisk?.();
      await storage.read((queries) => findSetting(queries, 'clock'));
      if (settings.isStale()) return 'The event catalog could not be read after the data was reset.';
      return engine.isHealthy() ? undefined : 'The delivery engine cannot take or store deliveries; the log says why.';
    },
    /** Uses the real clock, so that the ids of requests do not reveal the virtual time. */
    requestIds: createIds({ now: Date.now }),
    pageTokens: createPageTokens(masterKey),
    limits: createLimits(database, storage, parts.rateLimit),
    requestLog: createRequestLog(redact, parts.local, parts.metrics, parts.changes),
    /** The log warns at most once a minute about each unknown name that a credential sends. */
    isWarningDue: createThrottle(60_000, 10_000),
    redact,
    wrongTokens: createWrongTokens(),
    exports: { running: 0 },
    sessions: createSessions(storage, masterKey, () => parts.clock.realNow(), adminToken),
    about: {
      version,
      database,
      instanceId: randomUUID(),
      keepsData: database !== 'sqlite' || parts.dataDir !== null,
      credentials,
    },
  };
}
