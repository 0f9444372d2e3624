// pg-boss: two loops, each with half of the slots, fetch, process and complete jobs. The loops work like pg-boss's
// method `work` with the option `burstWhenBatchFull`, but they use no timers.
import { DEFAULT_CONFIG } from '../../../src/config/config.ts';
import { compete } from '../contestant.ts';
import { createDeliveryJobs, type DeliveryJob, inChunks } from '../delivery-jobs.ts';
import { installPeers } from '../install-peers.ts';
import { measure } from '../job.ts';

const { PgBoss } = installPeers()('pg-boss');

compete(async (load) => {
  await using work = await createDeliveryJobs(load);
  const boss = new PgBoss({ connectionString: load.databaseUrl, max: 4, supervise: false, schedule: false });
  boss.on('error', () => {});
  await boss.start();
  await boss.createQueue('deliveries');
  for (const jobs of inChunks(work.jobs)) {
    const inserts = jobs.map((data) => ({ data }));
    await boss.insert('deliveries', inserts);
  }
  const loop = async () => {
    for (;;) {
      const jobs = await boss.fetch('deliveries', { batchSize: DEFAULT_CONFIG.concurrency / 2 });
      if (jobs.length === 0) return;
      await Promise.all(jobs.map(({ data }: { data: DeliveryJob }) => work.run(data)));
      const ids = jobs.map(({ id }: { id: string }) => id);
      await boss.complete('deliveries', ids);
      work.completed(jobs.length);
    }
  };
  const measured = await measure(load.deliveries, () => Promise.all([loop(), loop(), work.all]));
  await boss.stop({ graceful: false });
  await work.checkAll();
  return measured;
});
