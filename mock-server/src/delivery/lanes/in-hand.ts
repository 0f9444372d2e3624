/** Tracks the deliveries that this node has read, until their results are stored. */
export function createInHand() {
  const ids = new Set<string>();
  /**
   * The deliveries whose results were stored since the latest look at the queue began. That look may have read these
   * deliveries before their results were stored.
   */
  const storedMeanwhile = new Set<string>();
  return {
    has: (deliveryId: string) => ids.has(deliveryId),
    /** Whether a look at the queue must skip the delivery. */
    isSkipped: (deliveryId: string) => ids.has(deliveryId) || storedMeanwhile.has(deliveryId),
    add: (deliveryId: string) => void ids.add(deliveryId),
    /** Call this if the delivery was not attempted. The delivery stays in the queue. */
    putBack: (deliveryId: string) => void ids.delete(deliveryId),
    /** Call this when the result of the delivery's attempt is stored. */
    stored(deliveryId: string): void {
      ids.delete(deliveryId);
      storedMeanwhile.add(deliveryId);
    },
    /** Call this when a look at the queue begins. */
    lookBegins: () => storedMeanwhile.clear(),
  };
}
