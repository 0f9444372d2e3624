/** Only a faulty service makes the suite wait this long for a response or a delivery. */
export const PATIENCE_MS = 60_000;
