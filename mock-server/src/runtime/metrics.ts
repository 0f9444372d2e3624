import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { ATTEMPT_OUTCOMES, type AttemptOutcome } from '../domain/attempt-outcome.ts';
import { EVALUATION_TRIGGERS } from '../domain/profiles/evaluation.ts';

export interface WorkReading {
  /** The number of attempts in flight on this node. All other values describe all nodes together. */
  inFlight: number;
  due: number;
  lagMs: number;
  evaluationsDue: number;
}

type ImportOutcome = 'created' | 'updated' | 'unchanged' | 'rejected';

/** Each server has its own metrics, even if several servers run in one process. */
export type Metrics = ReturnType<typeof createMetrics>;

/** The buckets range from the response time of a local receiver to the time limit of an attempt. */
const ATTEMPT_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 11];
const REQUEST_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** The buckets range from the time for a few profiles to the time for a million profiles. */
const EVALUATION_SECONDS = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300];
const BATCH_SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024];

export function createMetrics() {
  const registry = new Registry();
  const make = makersIn(registry);
  const setWork = workGauges(make);
  const emails = make.counter(
    'svc_notification_emails_total',
    'Attempts to send an email about a notification, by outcome',
    ['outcome'],
  );
  for (const outcome of ['sent', 'retry', 'failed']) emails.inc({ outcome }, 0);
  let hasDefaults = false;
  return {
    delivery: deliveryMetrics(make),
    lifecycle: lifecycleMetrics(make),
    ...requestMetrics(make),
    emailAttempted: (outcome: string) => emails.inc({ outcome }),
    contentType: registry.contentType,
    /** @param read - Rejects while the database is unreachable. */
    async text(read: () => Promise<WorkReading>): Promise<string> {
      // The default metrics observe the process until it exits, so start them only when somebody reads the metrics.
      if (!hasDefaults) collectDefaultMetrics({ register: registry });
      hasDefaults = true;
      await setWork(read);
      return await registry.metrics();
    },
  };
}

type Makers = ReturnType<typeof makersIn>;

function makersIn(registry: Registry) {
  const registers = [registry];
  return {
    counter: <Label extends string = never>(name: string, help: string, labelNames: Label[] = []) =>
      new Counter({ name, help, labelNames, registers }),
    gauge: (name: string, help: string) => new Gauge({ name, help, registers }),
    histogram: <Label extends string = never>(
      name: string,
      help: string,
      buckets: number[],
      labelNames: Label[] = [],
    ) => new Histogram({ name, help, buckets, labelNames, registers }),
  };
}

function deliveryMetrics({ counter, histogram }: Makers) {
  const attempts = counter('svc_delivery_attempts_total', 'Stored delivery attempts, by outcome', ['outcome']);
  // Without these zeros, the failure rate would be missing until the first failure.
  for (const outcome of ATTEMPT_OUTCOMES) attempts.inc({ outcome }, 0);
  const attemptSeconds = histogram(
    'svc_delivery_attempt_duration_seconds',
    'Duration of a delivery attempt, from connecting to the last stored byte of the response',
    ATTEMPT_SECONDS,
  );
  const roundSeconds = histogram(
    'svc_delivery_round_duration_seconds',
    'Duration of one round: storing a batch of results, or claiming lanes and reading their next deliveries',
    REQUEST_SECONDS,
  );
  const batches = histogram('svc_delivery_write_batch_size', 'Number of attempts stored in one batch', BATCH_SIZES);
  const claims = counter(
    'svc_delivery_lanes_claimed_total',
    'Lanes that this node claimed; a lane is the queue of one endpoint',
  );
  const lost = counter(
    'svc_delivery_lanes_lost_total',
    'Lanes that this node lost because another node or a reset ended its session',
  );
  const disabled = counter(
    'svc_endpoints_auto_disabled_total',
    'Endpoints disabled because their deliveries kept failing',
  );
  return {
    attemptStored({ outcome, durationMs }: { outcome: AttemptOutcome; durationMs: number }): void {
      attempts.inc({ outcome });
      attemptSeconds.observe(durationMs / 1000);
    },
    roundEnded(round: { durationMs: number; attempts: number; lanesClaimed: number }): void {
      roundSeconds.observe(round.durationMs / 1000);
      if (round.attempts > 0) batches.observe(round.attempts);
      if (round.lanesClaimed > 0) claims.inc(round.lanesClaimed);
    },
    lanesLost: (lanes: number) => lost.inc(lanes),
    endpointDisabled: () => disabled.inc(),
  };
}

function lifecycleMetrics({ counter, histogram }: Makers) {
  const evaluations = counter('svc_evaluations_total', 'Finished evaluations, by trigger', ['trigger']);
  for (const trigger of EVALUATION_TRIGGERS) evaluations.inc({ trigger }, 0);
  const evaluationSeconds = histogram(
    'svc_evaluation_duration_seconds',
    'Duration of an evaluation, from its start until its event is stored',
    EVALUATION_SECONDS,
  );
  const evaluated = counter('svc_evaluated_profiles_total', 'Evaluated profiles, by outcome: changed or unchanged', [
    'outcome',
  ]);
  const evaluationLeasesLost = counter(
    'svc_evaluation_leases_lost_total',
    'Evaluations and syncs that another node took over from this node',
  );
  const imported = counter('svc_imported_profiles_total', 'Imported or synced profiles, by outcome', ['outcome']);
  const syncs = counter('svc_syncs_total', 'Syncs with a data source, by outcome', ['outcome']);
  return {
    evaluated(evaluation: { trigger: string; profiles: number; changed: number; durationMs: number }): void {
      evaluations.inc({ trigger: evaluation.trigger });
      evaluationSeconds.observe(evaluation.durationMs / 1000);
      evaluated.inc({ outcome: 'changed' }, evaluation.changed);
      evaluated.inc({ outcome: 'unchanged' }, evaluation.profiles - evaluation.changed);
    },
    synced: ({ isFailed }: { isFailed: boolean }) => syncs.inc({ outcome: isFailed ? 'failed' : 'read' }),
    imported({ created, updated, unchanged, rejected }: Record<ImportOutcome, number>): void {
      for (const [outcome, count] of Object.entries({ created, updated, unchanged, rejected })) {
        imported.inc({ outcome }, count);
      }
    },
    leaseLost: () => evaluationLeasesLost.inc(),
  };
}

function requestMetrics({ counter, histogram }: Makers) {
  const requests = counter('svc_api_requests_total', 'API requests, by operation and status', ['operation', 'status']);
  const requestSeconds = histogram(
    'svc_api_request_duration_seconds',
    'Duration of API requests, by operation',
    REQUEST_SECONDS,
    ['operation'],
  );
  const refused = counter(
    'svc_intake_refused_total',
    'Calls rejected with 503 because too many deliveries were waiting to be stored',
  );
  const faults = counter('svc_faults_injected_total', 'Faults injected over the control API, by target', ['target']);
  for (const target of ['api', 'delivery']) faults.inc({ target }, 0);
  return {
    /** @param request.status - The status of the response, or `cut` if a fault cut the connection. */
    requestEnded({ durationMs, ...labels }: { operation: string; status: string; durationMs: number }): void {
      requests.inc(labels);
      requestSeconds.observe({ operation: labels.operation }, durationMs / 1000);
    },
    intakeRefused: () => refused.inc(),
    faultInjected: (target: 'api' | 'delivery') => faults.inc({ target }),
  };
}

function workGauges({ gauge }: Makers) {
  const inFlight = gauge('svc_delivery_attempts_in_flight', 'Delivery attempts in flight on this node');
  const due = gauge('svc_deliveries_due', 'Due deliveries on all nodes, in flight or not; counted up to 10,000');
  const lag = gauge(
    'svc_delivery_lag_seconds',
    'How long the oldest due delivery on any node has been due, on the virtual clock. Includes deliveries in flight',
  );
  const evaluationsDue = gauge(
    'svc_evaluations_due',
    'Workspaces whose evaluation or sync is due, or is running on any node; counted up to 10,000',
  );
  const databaseUp = gauge('svc_database_up', 'Whether the database responded at the time of this scrape');
  return async (read: () => Promise<WorkReading>): Promise<void> => {
    try {
      const reading = await read();
      inFlight.set(reading.inFlight);
      due.set(reading.due);
      lag.set(reading.lagMs / 1000);
      evaluationsDue.set(reading.evaluationsDue);
      databaseUp.set(1);
    } catch {
      // Omit unknown values, because an old lag would look like the current lag.
      due.remove();
      lag.remove();
      evaluationsDue.remove();
      databaseUp.set(0);
    }
  };
}
