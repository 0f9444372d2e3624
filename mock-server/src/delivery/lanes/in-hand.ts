/** The deliveries that this node has read and whose results are not stored yet. */
export function createInHand() {
  const ids = new Set<string>();
  /**
   * Deliveries that were stored since the latest look at the queue began. That look may have read them before they were
   * stored.
   */
  const storedMeanwhile = new Set<string>();
  return {
    has: (deliveryId: string) => ids.has(deliveryId),
    /** Whether a look at the queue must skip the delivery. */
    isSkipped: (deliveryId: string) => ids.has(deliveryId) || storedMeanwhile.has(deliveryId),
    add: (deliveryId: string) => void ids.add(deliveryId),
    /** The delivery was not attempted and stays in the queue. */
    putBack: (deliveryId: string) => void ids.delete(deliveryId),
    /** The result of its attempt is stored. */
    stored(deliveryId: string): void {
      ids.delete(deliveryId);
      storedMeanwhile.add(deliveryId);
    },
    /** A look at the queue begins. */
    lookBegins: () => storedMeanwhile.clear(),
  };
}
