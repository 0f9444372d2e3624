/**
 * The time in which hints are combined. Each notification takes a lock that all commits in the database share, so one
 * notification must cover many events.
 */
const HINT_INTERVAL_MS = 50;

/** Sends the first hint of a topic immediately, and combines the hints that follow within 50 ms. */
export function createHints<Topic>(send: (topic: Topic) => void) {
  const hinted = new Map<Topic, { at: number; timer: NodeJS.Timeout | undefined }>();

  return {
    hint(topic: Topic): void {
      const last = hinted.get(topic);
      if (last?.timer) return;
      const sendNow = () => {
        hinted.set(topic, { at: performance.now(), timer: undefined });
        send(topic);
      };
      const waitMs = last ? last.at + HINT_INTERVAL_MS - performance.now() : 0;
      if (waitMs <= 0) sendNow();
      else hinted.set(topic, { at: last?.at ?? 0, timer: setTimeout(sendNow, waitMs) });
    },
    close(): void {
      for (const { timer } of hinted.values()) clearTimeout(timer);
    },
  };
}
