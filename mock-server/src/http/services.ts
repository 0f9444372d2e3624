import type { Event } from '@svc/contract';
import type { Hono } from 'hono';
import type { ReceiverRules } from '../domain/endpoint-url.ts';
import type { DeliveryOnNode } from '../domain/explain-delivery.ts';
import type { MasterKey } from '../domain/master-key.ts';
import type { NodeRole } from '../domain/node-role.ts';
import type { PageTokens } from '../domain/page-token.ts';
import type { Sync } from '../domain/profiles/data-source.ts';
import type { Evaluation } from '../domain/profiles/evaluation.ts';
import type { ImportFormat, ImportResult } from '../domain/profiles/profile-import.ts';
import type { Random } from '../domain/random.ts';
import type { ChangeStream } from '../runtime/change-stream.ts';
import type { Ids } from '../runtime/ids.ts';
import type { Logger } from '../runtime/logger.ts';
import type { Metrics, WorkReading } from '../runtime/metrics.ts';
import type { Catalog } from '../state/catalog.ts';
import type { Faults } from '../state/faults.ts';
import type { ReplaceData } from '../state/replace-data.ts';
import type { SameData } from '../storage/checked-writes.ts';
import type { SnapshotStorage } from '../storage/port.ts';
import type { IssuedCredential } from '../storage/seed/issued-credential.ts';
import type { VirtualClock } from '../time/clock.ts';
import type { Timeline } from '../time/timeline.ts';
import type { WrongTokens } from './control/wrong-tokens.ts';
import type { Intake } from './intake.ts';
import type { Limits } from './limits.ts';
import type { createReceivedRequests } from './received-requests.ts';
import type { createSessions } from './sessions.ts';

export interface Services extends ReceiverRules {
  storage: SnapshotStorage;
  /** The writes of these parts fail if the data of `sameData` was replaced. */
  onSameData(sameData: SameData): Pick<Services, 'storage' | 'lifecycle'>;
  intake: Intake;
  clock: VirtualClock;
  ids: Ids;
  /** Uses the real clock, so that the ids of requests do not reveal the virtual time. */
  requestIds: Pick<Ids, 'nextBare'>;
  masterKey: MasterKey;
  random: Random;
  pageTokens: PageTokens;
  logger: Logger;
  metrics: Metrics;
  readWork(): Promise<WorkReading>;
  limits: Limits;
  receivedRequests: ReturnType<typeof createReceivedRequests>;
  /** The log warns at most once a minute about an input name of a credential. */
  isWarningDue(about: string): boolean;
  catalog: Catalog;
  /** Without a trailing slash. */
  publicUrl(): string;
  roles: readonly NodeRole[];
  /** Whether the server accepts the demo credentials, which everyone knows. */
  demoCredentials: boolean;
  adminToken: string | undefined;
  redact(text: string): string;
  wrongTokens: WrongTokens;
  sessions: ReturnType<typeof createSessions>;
  registerDashboard(app: Hono): void;
  changes: ChangeStream;
  about: About;
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
  findOnNode(delivery: { id: string; endpointId: string; workspaceId: string }): DeliveryOnNode;
  retryDelaysMs: readonly number[];
  timeline: Timeline;
  lifecycle: Lifecycle;
  faults: Faults;
  snapshots: Pick<ReplaceData, 'save' | 'restore'>;
  exports: { running: number };
  /** Without `seed`, applies the seed that an empty database gets at startup. */
  reset(seed: unknown): Promise<IssuedCredential[]>;
  /** Returns why the server is not ready. */
  health: { ready(): Promise<string | undefined> };
}

export interface About {
  version: string;
  database: 'sqlite' | 'postgresql';
  instanceId: string;
  keepsData: boolean;
  credentials(): readonly IssuedCredential[];
}

interface Lifecycle {
  /** @throws {@link ImportError} if the data does not have the given format. Earlier batches stay stored. */
  importProfiles(workspaceId: string, chunks: AsyncIterable<Uint8Array>, format: ImportFormat): Promise<ImportResult>;
  /** Waits for other work on this workspace. */
  evaluate(workspaceId: string): Promise<{ evaluation: Evaluation; event: Event }>;
  /** Returns `undefined` if the workspace has no source that can be read. */
  sync(workspaceId: string): Promise<Sync | undefined>;
  /** Call this after a change to the due work, or to the time when work becomes due. */
  wake(): void;
}
