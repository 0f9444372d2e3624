import type { DeliveryObserver } from '../delivery/observer.ts';
import type { LifecycleObserver } from '../lifecycle/observer.ts';
import type { Changes } from '../runtime/changes.ts';

/**
 * Passes the delivery engine's events to the metrics, and to open pages of the dashboard.
 *
 * @param emailsDue - Called when emails may have become due.
 */
export function observeDelivery(metrics: DeliveryObserver, changes: Changes, emailsDue: () => void): DeliveryObserver {
  return {
    attemptWritten(attempt) {
      metrics.attemptWritten(attempt);
      changes.mark({ deliveries: [attempt.deliveryId], endpoints: [attempt.endpointId] });
    },
    roundEnded: metrics.roundEnded,
    leaseEnded: metrics.leaseEnded,
    endpointDisabled(endpointId) {
      metrics.endpointDisabled(endpointId);
      emailsDue();
      changes.mark({ endpoints: [endpointId], events: 1, deliveries: 'many', notifications: 1 });
    },
    deliveriesDisabled: () => changes.mark({ deliveries: 'many' }),
  };
}

/** Passes the evaluator's events to the metrics, and to open pages of the dashboard. */
export function observeLifecycle(metrics: LifecycleObserver, changes: Changes): LifecycleObserver {
  return {
    evaluated(evaluation) {
      metrics.evaluated(evaluation);
      changes.mark({ lifecycle: true, events: 1, deliveries: 'many' });
    },
    synced(sync) {
      metrics.synced(sync);
      changes.mark({ lifecycle: true });
    },
    imported(outcomes) {
      metrics.imported(outcomes);
      changes.mark({ lifecycle: true });
    },
    leaseLost: metrics.leaseLost,
  };
}
