// The delivery engine of this project, with the metrics and logs of a server.
import { createLogger } from '../../../src/runtime/logger.ts';
import { createMetrics } from '../../../src/runtime/metrics.ts';
import { compete } from '../contestant.ts';
import { createDeliveries } from '../delivery-jobs.ts';
import { measure } from '../job.ts';

/** `info` writes a line per attempt to standard error, as a server does by default. */
const LOG_LEVEL = process.env['LOG_LEVEL'] ?? 'warn';

compete(async (load) => {
  await using deliveries = await createDeliveries(load);
  const metrics = createMetrics();
  const logger = createLogger(LOG_LEVEL);
  if (load.accepts === 'only') return await measure(load.deliveries, () => deliveries.world.accept(load, () => {}));
  const measured = await measure(load.deliveries, async () => {
    await using engine = await deliveries.world.startEngine({ observer: metrics.delivery, logger });
    if (load.accepts) await deliveries.world.accept(load, engine.wake);
    await engine.whenIdle(AbortSignal.timeout(120_000));
  });
  await deliveries.checkAll();
  return measured;
});
