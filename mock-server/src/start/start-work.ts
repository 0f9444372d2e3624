import type { ServerConfig } from '../config/config.ts';
import type { SmtpTarget } from '../config/smtp-url.ts';
import { type DeliveryEngine, startDeliveryEngine } from '../delivery/engine.ts';
import type { AttemptFaults } from '../delivery/sending/inject-faults.ts';
import type { ReceiverRules } from '../domain/endpoint-url.ts';
import type { MasterKey } from '../domain/master-key.ts';
import { drawFraction, type Random } from '../domain/random.ts';
import { otherNodesOver } from '../fleet/follow-peers.ts';
import { createIntake, type Intake } from '../http/intake.ts';
import { type Evaluator, startEvaluator } from '../lifecycle/evaluator.ts';
import { createLifecycle, type Lifecycle } from '../lifecycle/lifecycle.ts';
import { type Mailer, startMailer } from '../notifications/mailer.ts';
import type { Changes } from '../runtime/changes.ts';
import type { Cleanup } from '../runtime/cleanup.ts';
import type { Ids } from '../runtime/ids.ts';
import type { Logger } from '../runtime/logger.ts';
import type { Metrics } from '../runtime/metrics.ts';
import type { Storage } from '../storage/port.ts';
import type { VirtualClock } from '../time/clock.ts';
import type { NodeReport } from '../time/shared-clock.ts';
import type { Addresses, InProcess } from './addresses.ts';
import { observeDelivery, observeLifecycle } from './observers.ts';
import type { OpenedStorage } from './opened-storage.ts';
import { sourceRulesOf } from './source-rules.ts';

/** The dependencies that all kinds of work share. */
export interface WorkBase {
  storage: Storage;
  clock: VirtualClock;
  ids: Ids;
  random: Random;
  masterKey: MasterKey;
  logger: Logger;
  metrics: Metrics;
  changes: Changes;
}

/** The dependencies and settings of {@link startWork}. */
export interface StartWorkOptions {
  base: WorkBase;
  config: ServerConfig;
  database: OpenedStorage;
  addresses: Addresses;
  rules: ReceiverRules;
  smtp: SmtpTarget | undefined;
  faults: AttemptFaults;
  inProcess: InProcess | undefined;
  /** Closes the parts of the work, last started first. */
  cleanup: Cleanup;
}

/** The parts that do the work of a node, and the functions that wake them. */
export interface Work {
  mailer: Mailer | undefined;
  engine: DeliveryEngine;
  evaluator: Evaluator;
  intake: Intake;
  lifecycle: Lifecycle;
  /** Informs the engines of all nodes that deliveries have been queued. */
  wakeDelivery(): void;
  /** Informs the engines of all nodes that an endpoint's URL, status or secrets have changed. */
  endpointChanged(endpointId: string): void;
  /** Call this after this node has adopted a new state of the clock. */
  clockMoved(): void;
  /** Reports how much work this node has done since it started. */
  report(): NodeReport;
}

/** Starts the mailer, then the delivery engine, which wakes the mailer, then the evaluator, which wakes the engine. */
export async function startWork(options: StartWorkOptions): Promise<Work> {
  const { base, config, database, addresses, smtp, inProcess, cleanup } = options;
  const { storage, metrics, changes, random } = base;
  const { engineStorage, lifecycleStorage, peers } = database;
  const mailer =
    smtp &&
    cleanup.use(
      await startMailer({ ...base, smtp, publicUrl: addresses.knownPublicUrl, onOutcome: metrics.emailAttempted }),
    );
  const engine = cleanup.use(
    await startDeliveryEngine({
      ...config,
      ...base,
      storage: engineStorage,
      allowLoopback: !config.strict,
      ownAddresses: addresses.own,
      random: () => drawFraction(random, 'jitter'),
      delivers: config.roles.includes('deliver'),
      otherNodes: peers && otherNodesOver(peers),
      faults: options.faults,
      send: inProcess?.send,
      sendsEmails: smtp !== undefined,
      observer: observeDelivery(metrics.delivery, changes, () => mailer?.wake()),
      cutDatabase: database.cut,
    }),
  );
  const wakeDelivery = () => {
    engine.wake();
    peers?.hint('work');
  };
  const endpointChanged = (endpointId: string) => {
    engine.endpointChanged(endpointId);
    peers?.hint('endpoints');
  };
  const intake = createIntake(storage, metrics);
  const observer = observeLifecycle(metrics.lifecycle, changes);
  const evaluator = cleanup.use(
    await startEvaluator({
      ...base,
      storage: lifecycleStorage,
      accept: intake.accept,
      wakeDelivery,
      sourceRules: sourceRulesOf(options.rules, addresses.own, config.allowNetworks),
      observer,
      evaluates: config.roles.includes('evaluate'),
    }),
  );
  const lifecycle = createLifecycle({ ...base, storage: lifecycleStorage, evaluator, observer });
  const clockMoved = () => {
    engine.clockMoved();
    evaluator.wake();
    mailer?.wake();
    changes.mark({ clock: true });
  };
  const report = () => ({ attempts: engine.attemptsMade(), evaluations: evaluator.evaluationsMade() });
  return { mailer, engine, evaluator, intake, lifecycle, wakeDelivery, endpointChanged, clockMoved, report };
}
