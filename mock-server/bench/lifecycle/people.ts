import { Readable } from 'node:stream';

const FIRST = [
  'Ada',
  'Grace',
  'Alan',
  'Jürgen',
  'Αθηνά',
  'İpek',
  'Noor',
  'Liam',
  'Katherine',
  'Edsger',
  'Barbara',
  'Radia',
];
const LAST = [
  'Lovelace',
  'Hopper',
  'Turing',
  'Weiß',
  'Papadopoulou',
  'Çağlar',
  'Rahman',
  'Walsh',
  'Johnson',
  'Dijkstra',
];
const DAY_MS = 86_400_000;

/** Returns the date that is `days` days before the run. */
const dayBefore = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);
const DAYS = Array.from({ length: 400 }, (_, days) => dayBefore(days));

/** Creates the nth person, with one of 60 pairs of names, a unique suffix and ten active days. */
export const personOf = (n: number) => ({
  externalId: `user-${n}`,
  name: `${FIRST[n % FIRST.length]} ${LAST[n % LAST.length]} ${n.toString(36)}`,
  email: `person${n}@customer${n % 5_000}.test`,
  attributes: { plan: n % 3 === 0 ? 'pro' : 'free' },
  activeDays: Array.from({ length: 10 }, (_, step) => DAYS[(n % 120) + step * (1 + (n % 7))] as string),
});

/** Returns a stream of `count` people as NDJSON. The lines are generated while the stream is read. */
export function linesOf(count: number): Readable {
  function* chunks() {
    for (let from = 0; from < count; from += 500) {
      const lines = Array.from({ length: Math.min(500, count - from) }, (_, n) => JSON.stringify(personOf(from + n)));
      yield `${lines.join('\n')}\n`;
    }
  }
  return Readable.from(chunks(), { objectMode: false });
}

/** Typical searches: whole names, prefixes, addresses, and two words. */
export const QUERIES = [
  'lovelace',
  'turing ada',
  'person4711',
  'customer42',
  'weiss',
  'grace hop',
  'user-1234',
  'ipek cag',
  'hopp',
  'rahman noor',
];

/**
 * Returns a stream of NDJSON with a line of at least `bytes` bytes between two valid lines. The lines are generated
 * while the stream is read.
 */
export function longLine(bytes: number): Readable {
  const part = 'x'.repeat(1024 ** 2);
  function* chunks() {
    yield '{"externalId":"first"}\n{"externalId":"long","name":"';
    for (let made = 0; made < bytes; made += part.length) yield part;
    yield '"}\n{"externalId":"last"}\n';
  }
  return Readable.from(chunks(), { objectMode: false });
}
