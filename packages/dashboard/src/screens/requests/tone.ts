/** The colour of a status; null stands for a connection that a fault cut. */
export const toneOf = (status: number | null): string =>
  status === null || status >= 500 ? 'tone-bad' : status >= 400 ? 'tone-waiting' : 'tone-good';
