import type { ServerConfig } from '../config/config.ts';
import type { SmtpTarget } from '../config/urls.ts';
import { type DeliveryEngine, startDeliveryEngine } from '../delivery/engine.ts';
import type { DeliveryObserver } from '../delivery/observer.ts';
import type { AttemptFaults } from '../delivery/sending/inject-faults.ts';
import { drawFraction } from '../domain/random.ts';
import { otherNodesOver } from '../fleet/follow-peers.ts';
import { createIntake } from '../http/intake.ts';
import type { RequestServices } from '../http/services.ts';
import { startEvaluator } from '../lifecycle/evaluator.ts';
import { createReadingTime } from '../network/parsing-time.ts';
import { startMailer } from '../notifications/mailer.ts';
import type { ChangeStream } from '../runtime/change-stream.ts';
import type { Cleanup } from '../runtime/cleanup.ts';
import { checkedWrites, type SameData } from '../storage/checked-writes.ts';
import type { NodeReport, SharedClock } from '../time/shared-clock.ts';
import type { Addresses, InProcess } from './addresses.ts';
import type { ConnectionRules } from './check-config.ts';
import type { OpenedStorage } from './open-shared-storage.ts';
import { sourceRulesOf } from './source-rules.ts';

interface StartWorkOptions {
  base: Pick<RequestServices, 'storage' | 'clock' | 'ids' | 'random' | 'masterKey' | 'logger' | 'metrics' | 'changes'>;
  config: ServerConfig;
  sharedClock: Pick<SharedClock, 'hear' | 'expectSameData' | 'followOtherIds'>;
  database: OpenedStorage;
  addresses: Addresses;
  rules: ConnectionRules;
  smtp: SmtpTarget | undefined;
  faults: AttemptFaults;
  inProcess: InProcess | undefined;
  cleanup: Cleanup;
}

/** Starts the mailer, the engine and the evaluator. The engine wakes the mailer, and the evaluator wakes the engine. */
export async function startWork(options: StartWorkOptions) {
  const { base, config, sharedClock, database, addresses, smtp, inProcess, cleanup } = options;
  const { followOtherIds } = sharedClock;
  const { storage, metrics, changes, random } = base;
  const { engineStorage, lifecycleStorage, peers } = database;
  const mailer =
    smtp &&
    cleanup.use(
      await startMailer({ ...base, smtp, publicUrl: addresses.knownPublicUrl, onOutcome: metrics.emailAttempted }),
    );
  const readingTime = createReadingTime();
  const engine = cleanup.use(
    await startDeliveryEngine({
      ...config,
      ...base,
      storage: engineStorage,
      addressRules: options.rules.reachable,
      ownAddresses: addresses.own,
      readingTime,
      random: () => drawFraction(random, 'jitter'),
      delivers: config.roles.includes('deliver'),
      otherNodes: peers && otherNodesOver(peers),
      readClock: sharedClock.hear,
      followOtherIds,
      faults: options.faults,
      send: inProcess?.send,
      sendsEmails: smtp !== undefined,
      observer: observeDelivery(metrics.delivery, changes, () => mailer?.wake()),
      cutDatabase: database.cut,
    }),
  );
  const engines = enginesOfAllNodes(engine, peers);
  const checkSameData = () => sharedClock.expectSameData().checkWrite;
  const intake = createIntake(metrics);
  const evaluator = cleanup.use(
    await startEvaluator({
      ...base,
      storage: lifecycleStorage,
      checkSameData,
      accept: (work) => intake.accept(checkedWrites(storage, checkSameData), work),
      wakeDelivery: engines.wakeDelivery,
      followOtherIds,
      sourceRules: sourceRulesOf(options.rules, addresses.own, { readingTime }),
      evaluates: config.roles.includes('evaluate'),
      isRepeatable: config.randomSeed !== undefined,
    }),
  );
  const onSameData = ({ checkWrite: check }: Pick<SameData, 'checkWrite'>) => ({
    storage: checkedWrites(storage, () => check),
    lifecycle: evaluator.checkedBy(check),
  });
  const clockMoved = () => {
    engine.clockMoved();
    evaluator.wake();
    mailer?.wake();
    changes.mark({ clock: true });
  };
  const report = (): NodeReport => ({
    attempts: engine.attemptsMade(),
    evaluations: evaluator.evaluationsMade(),
    clockShowed: base.clock.showedLast,
  });
  return { mailer, engine, evaluator, intake, onSameData, ...engines, clockMoved, report };
}

const enginesOfAllNodes = (engine: DeliveryEngine, peers: OpenedStorage['peers']) => ({
  /** Tells the engines that deliveries have been queued. */
  wakeDelivery(): void {
    engine.wake();
    peers?.hint('work');
  },
  /** Tells the engines that an endpoint's URL, status or secrets have changed. */
  endpointChanged(endpointId: string): void {
    engine.endpointChanged(endpointId);
    peers?.hint('endpoints');
  },
});

function observeDelivery(metrics: DeliveryObserver, changes: ChangeStream, emailsDue: () => void): DeliveryObserver {
  return {
    ...metrics,
    attemptStored(attempt) {
      metrics.attemptStored(attempt);
      changes.mark({ deliveries: [attempt.deliveryId], endpoints: [attempt.endpointId] });
    },
    endpointDisabled(endpointId) {
      metrics.endpointDisabled(endpointId);
      emailsDue();
      changes.mark({ endpoints: [endpointId], events: 1, deliveries: 'many', notifications: 1 });
    },
    deliveriesDisabled: () => changes.mark({ deliveries: 'many' }),
  };
}
