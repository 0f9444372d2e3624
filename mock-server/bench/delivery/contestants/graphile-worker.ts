// Graphile Worker, with the settings that its documentation recommends for speed: a local queue and batched completion.
import { DEFAULT_CONFIG } from '../../../src/config/config.ts';
import { compete } from '../contestant.ts';
import { createDeliveryJobs, inChunks } from '../delivery-jobs.ts';
import { installPeers } from '../install-peers.ts';
import { measure } from '../job.ts';

const { run, makeWorkerUtils, Logger } = installPeers()('graphile-worker');

compete(async (load) => {
  await using work = await createDeliveryJobs(load);
  const connectionString = load.databaseUrl;
  const logger = new Logger(() => () => {});
  const utils = await makeWorkerUtils({ connectionString, logger });
  await utils.migrate();
  for (const jobs of inChunks(work.jobs)) {
    const specs = jobs.map((payload) => ({ identifier: 'deliver', payload }));
    await utils.addJobs(specs);
  }
  await utils.release();
  const measured = await measure(load.deliveries, async () => {
    const runner = await run({
      connectionString,
      logger,
      noHandleSignals: true,
      preset: {
        worker: {
          concurrentJobs: DEFAULT_CONFIG.concurrency,
          maxPoolSize: 4,
          pollInterval: 1_000,
          localQueue: { size: 2 * DEFAULT_CONFIG.concurrency },
          completeJobBatchDelay: 5,
          failJobBatchDelay: 5,
        },
      },
      taskList: { deliver: work.run },
    });
    runner.events.on('job:complete', () => work.completed(1));
    await work.all;
    // The worker stops only after the database has stored that every job is complete.
    await runner.stop();
  });
  await work.checkAll();
  return measured;
});
