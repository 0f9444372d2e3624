/** A notification takes a lock that all commits of the database share. So one notification covers many events. */
const HINT_INTERVAL_MS = 50;

/** Sends the first hint of a topic at once, and combines those that follow within 50 ms. */
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
