export interface ReplayProgress {
  /** The number of deliveries to replay. Undefined until the list has been read. */
  found: number | undefined;
  replayed: number;
  refused: { id: string; reason: string }[];
  isDone: boolean;
}

export interface ReplayAllOptions<Item extends { id: string }> {
  matching: AsyncIterable<Item>;
  replay(item: Item): Promise<void>;
  signal: AbortSignal;
  onProgress(progress: ReplayProgress): void;
  describe(error: unknown): string;
}

const REPLAYED_MAX = 1_000;
const AT_A_TIME = 4;

/**
 * Replays at most 1,000 deliveries. Reads the whole list before the first replay, so that the new deliveries are not
 * replayed.
 */
export async function replayAll<Item extends { id: string }>(options: ReplayAllOptions<Item>): Promise<void> {
  const { signal, onProgress } = options;
  const progress: ReplayProgress = { found: undefined, replayed: 0, refused: [], isDone: false };
  const tell = () => onProgress({ ...progress, refused: [...progress.refused] });
  tell();
  const items: Item[] = [];
  for await (const item of options.matching) {
    if (signal.aborted || items.push(item) >= REPLAYED_MAX) break;
  }
  progress.found = items.length;
  tell();
  let next = 0;
  async function work(): Promise<void> {
    for (let item = items[next++]; item && !signal.aborted; item = items[next++]) {
      try {
        await options.replay(item);
        progress.replayed++;
      } catch (error) {
        progress.refused.push({ id: item.id, reason: options.describe(error) });
      }
      tell();
    }
  }
  await Promise.all(Array.from({ length: AT_A_TIME }, work));
  progress.isDone = true;
  tell();
}
