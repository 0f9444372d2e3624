/** The color of a status; null means that a fault cut the connection. */
export const toneOf = (status: number | null): string =>
  status === null || status >= 500 ? 'tone-bad' : status >= 400 ? 'tone-waiting' : 'tone-good';
