/** How long the suite waits for a response, or for a delivery. Only a faulty service makes it wait this long. */
export const PATIENCE_MS = 60_000;
