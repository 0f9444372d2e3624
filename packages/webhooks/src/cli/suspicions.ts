/** A possible cause of a wrong signature: the sender signed the body `value`, or signed with the key `value`. */
export interface Suspicion<Value> {
  says: string;
  value: Value;
}

/**
 * The largest body, in bytes, whose JSON keys are tried in every order. Trying every order takes about 0.1 s for a
 * hostile body of this size.
 */
const ORDERS_MAX_BYTES = 4 * 1024;

/**
 * JSON with more levels than this is not serialized again, because indentation would make it many times longer. Events
 * have only a few levels.
 */
const LEVELS_MAX = 16;

/**
 * Yields the bodies that may have been signed. Each body is the received body with one possible change undone. Only one
 * body is in memory at a time, because there may be more than a thousand bodies.
 */
export function* suspectBodies(body: Uint8Array): Generator<Suspicion<Uint8Array>> {
  const text = Buffer.from(body).toString('utf8');
  for (const { says, value } of suspicionsOf(body, text)) yield { says, value: Buffer.from(value()) };
}

function* suspicionsOf(body: Uint8Array, text: string): Generator<Suspicion<() => string | Uint8Array>> {
  yield* [
    {
      says: 'a line feed was added at the end of the body, perhaps by an editor',
      value: () => text.replace(/\r?\n$/, ''),
    },
    { says: 'the line feed at the end of the body was removed', value: () => `${text}\n` },
    { says: 'the line endings of the body were changed to CR LF', value: () => text.replaceAll('\r\n', '\n') },
    { says: 'the line endings of the body were changed to LF', value: () => text.replaceAll('\n', '\r\n') },
    { says: 'a byte order mark was added to the body', value: () => text.replace(/^\ufeff/, '') },
    { says: 'the byte order mark of the body was removed', value: () => `\ufeff${text}` },
    { says: 'the body was decoded as Latin-1 and encoded as UTF-8', value: () => Buffer.from(text, 'latin1') },
    { says: 'the body was decoded as UTF-8 and encoded as Latin-1', value: () => Buffer.from(body).toString('latin1') },
    { says: 'the body is in UTF-16', value: () => Buffer.from(body).toString('utf16le') },
    {
      says: 'the body was encoded as JSON twice: it is a JSON string that contains the signed body',
      value: () => unquoted(text),
    },
    {
      says: 'the body is base64 of the signed body: decode it (isBase64Encoded)',
      value: () => Buffer.from(text, 'base64'),
    },
    { says: 'the body is percent-encoded, like a form: use the raw body', value: () => percentDecoded(text) },
    { says: 'the body was lost', value: () => '' },
  ];
  yield* suspectJson(text, body.length <= ORDERS_MAX_BYTES);
}

/** Yields the different forms in which common libraries write the same JSON value. */
function* suspectJson(text: string, inEveryOrder: boolean): Generator<Suspicion<() => string>> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return;
  }
  if (isDeeper(parsed, LEVELS_MAX)) return;
  const compact = JSON.stringify(parsed);
  const spellings = [
    () => compact,
    () => JSON.stringify(parsed, null, 2),
    () => JSON.stringify(parsed, null, 4),
    () => compact.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
    () => compact.replaceAll('/', '\\/'),
    () => spaced(compact),
  ];
  for (const value of spellings) {
    yield { says: 'the body was parsed and serialized again: the JSON is the same, but its bytes are not', value };
  }
  if (!inEveryOrder) return;
  for (const ordered of keyOrders(parsed)) {
    const says = 'the body was parsed and serialized again with its keys in another order, perhaps sorted';
    yield { says, value: () => JSON.stringify(ordered) };
    yield { says, value: () => spaced(JSON.stringify(ordered)) };
  }
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((one) => isDeeper(one, levels - 1));
}

/**
 * Yields copies of an envelope, in every possible order of its keys and of its subject's keys. An object with more than
 * four keys keeps the order of its keys, because too many orders are possible.
 */
function* keyOrders(parsed: unknown): Generator<object> {
  for (const event of ordersOf(parsed)) {
    const subjects = ordersOf((event as { subject?: unknown }).subject);
    if (subjects.length === 0) yield event;
    for (const subject of subjects) yield { ...event, subject };
  }
}

function ordersOf(value: unknown): object[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  const entries = Object.entries(value);
  return entries.length > 4 ? [value] : permutations(entries).map((order) => Object.fromEntries(order));
}

function permutations<Item>(items: readonly Item[]): Item[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((item, at) => permutations(items.toSpliced(at, 1)).map((rest) => [item, ...rest]));
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

/** Adds a space after each comma and colon outside strings, as Python does. */
function spaced(compact: string): string {
  return compact.replace(/"(?:[^"\\]|\\.)*"|[,:]/g, (token) => (token.length === 1 ? `${token} ` : token));
}

function unquoted(text: string): string {
  try {
    return String(JSON.parse(text));
  } catch {
    return text;
  }
}

/** Returns the wrong keys that a user's own code may have derived from the secret and used to sign the message. */
export function suspectKeys(secret: string): Suspicion<Uint8Array>[] {
  const rest = secret.replace(/^whsec_/, '');
  return [
    {
      says: 'the signer used the text of the secret, including whsec_, as the key: decode the part after whsec_',
      value: Buffer.from(secret),
    },
    { says: 'the signer used the text after whsec_ as the key: decode it as base64url', value: Buffer.from(rest) },
    {
      says: 'the signer decoded the whole secret, including whsec_: remove whsec_, then decode the rest',
      value: Buffer.from(secret, 'base64url'),
    },
    ...decodedAsBase64(rest).map((value) => ({ says: DECODED_AS_BASE64, value })),
  ];
}

/** Tells authors of programs that do not use this package how to decode a secret. */
export const HOW_TO_DECODE =
  "Decode the text after whsec_ with Buffer.from(text, 'base64url') in JavaScript, " +
  "base64.urlsafe_b64decode(text + '==') in Python, or base64.RawURLEncoding.DecodeString(text) in Go";

const DECODED_AS_BASE64 = `the signer decoded the secret as base64, but the secret is base64url. ${HOW_TO_DECODE}`;

/**
 * Returns the keys that base64 decoders produce from a secret in base64url. Python, Ruby and PHP skip `-` and `_`.
 * Decoders that report an error, such as the decoder in Go, return the bytes before the first `-` or `_`. Some decoders
 * drop the last group of four characters if the group is incomplete.
 */
function decodedAsBase64(text: string): Uint8Array[] {
  return [text.replace(/[-_]/g, ''), text.replace(/[-_].*/, '')].flatMap((left) => [
    Buffer.from(left, 'base64'),
    Buffer.from(left.slice(0, left.length - (left.length % 4)), 'base64'),
  ]);
}
