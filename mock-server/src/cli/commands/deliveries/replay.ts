import type { WebhookDelivery } from '@svc/client';
import type { CommandSpec } from '../../command.ts';
import { confirmOrStop, isTerminal } from '../../confirm.ts';
import type { Scope } from '../../context.ts';
import { DidNotHappenError, UsageError } from '../../exit-codes.ts';
import { type Confirmable, checkEventType, idOf, yesOption } from '../../options.ts';
import type { Output } from '../../output/output.ts';
import { startProgress } from '../../output/progress.ts';
import { type DeliveryFilters, filterOptions, paramsOf } from './filters.ts';

const REPLAYED_MAX = 100_000;

export const replay: CommandSpec<DeliveryFilters & Confirmable> = {
  usage: 'replay [id]',
  summary: 'send a delivery again, or all deliveries that match the filters',
  examples: ['svc-mock deliveries replay whd_…', 'svc-mock deliveries replay --status failed --since 5d --yes'],
  options: [...filterOptions(), yesOption()],
  async run(context, [id], options) {
    const { output } = context;
    const svc = await context.api();
    const params = await paramsOf(context, options);
    if ((id === undefined) === Object.values(params).every((value) => value === undefined)) {
      throw new UsageError(
        'Pass a delivery id, or choose several deliveries with --status, --endpoint, --type, --since or --until.',
      );
    }
    if (id !== undefined) {
      const replay = await svc.webhooks.deliveries.replay(idOf('webhookDelivery', id));
      const replayed = { deliveryId: id, replayId: replay.id, error: null };
      return output.result(replayed, () => `Replaying ${id} as ${replay.id}.`);
    }
    const found = await svc.webhooks.deliveries.list(params).collect({ limit: REPLAYED_MAX });
    if (found.length === 0) await checkEventType(svc, options.eventType);
    const count = found.length === 1 ? '1 delivery' : `${found.length} deliveries`;
    // Without a terminal, require --yes even if there is nothing to replay: a script without --yes must always fail.
    if (found.length > 0 || !isTerminal(output))
      await confirmOrStop(output, `Replay ${count}?`, options, 'Nothing was replayed.');
    const replayed = await replayAll(output, svc, found);
    const failed = replayed.filter(({ error }) => error !== null);
    output.result({ replayed: replayed.length - failed.length, failed: failed.length, deliveries: replayed }, () => [
      `Replayed ${replayed.length - failed.length} of ${count}.`,
      ...failed.map(({ deliveryId, error }) => `${deliveryId}: ${error}`),
    ]);
    if (failed.length > 0) throw new DidNotHappenError(`${failed.length} of ${count} could not be replayed.`);
  },
};

async function replayAll(output: Output, svc: Scope, found: readonly WebhookDelivery[]) {
  const replayed: { deliveryId: string; replayId: string | null; error: string | null }[] = [];
  using progress = await startProgress(output, 'Replaying', found.length);
  // Replay the oldest delivery first, so that the replays are created in the order of the original deliveries.
  for (const { id: deliveryId } of found.toReversed()) {
    try {
      const replay = await svc.webhooks.deliveries.replay(deliveryId);
      replayed.push({ deliveryId, replayId: replay.id, error: null });
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'CONFLICT') throw error;
      replayed.push({ deliveryId, replayId: null, error: (error as Error).message });
    }
    progress.update(replayed.length, `${replayed.length}/${found.length}`);
  }
  return replayed;
}
