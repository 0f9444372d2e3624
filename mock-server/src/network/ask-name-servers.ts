import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { getServers, type LookupAddress } from 'node:dns';
import { isIP, isIPv6, SocketAddress } from 'node:net';
import { SHORTAGES } from './shortages.ts';

/** Each further round doubles this limit. */
const QUERY_TIMEOUT_MS = 1_500;
const ROUNDS = 3;
const DNS_PORT = 53;

/** Without extensions, a response has at most 512 bytes (RFC 1035, section 4.2.1). Some servers send more. */
const RESPONSE_MAX_BYTES = 4_096;
const HEADER_BYTES = 12;
/** The type and class of a question, which follow its name. */
const QUESTION_FIELDS_BYTES = 4;
/** The type, class, time to live and length of a record, which follow its name. */
const RECORD_FIELDS_BYTES = 10;
const RECURSION_DESIRED = 0x0100;
const IS_RESPONSE = 0x8000;
const TRUNCATED = 0x0200;
const RESPONSE_CODE = 0x000f;
const NO_ERROR = 0;
const SERVER_FAILURE = 2;
const NAME_ERROR = 3;
const INTERNET = 1;
const LABEL_MAX_BYTES = 63;
const NAME_MAX_BYTES = 255;
/** The two highest bits of a length mark a pointer to another name (RFC 1035, section 4.1.4). */
const POINTER = 0xc0;

/** Records with addresses (RFC 1035, section 3.4.1, and RFC 3596). */
const RECORD_TYPES = [
  { code: 1, family: 4, bytes: 4 },
  { code: 28, family: 6, bytes: 16 },
] as const;

type RecordType = (typeof RECORD_TYPES)[number];

interface NamesFound {
  addresses: LookupAddress[];
  /** Whether the name server that was asked last did not respond in time, or reported that its own lookup failed. */
  haveFailed: boolean;
  /** Whether a response was truncated and contained no address. */
  areTooMany: boolean;
}

/**
 * Asks name servers over UDP, and uses the addresses even of a truncated response. `node:dns` would repeat the query
 * over TCP, and parsing a response of 64 KiB would block the event loop. A tenant's name server can cause any number of
 * such responses.
 *
 * @param servers - IP addresses, each with its port if the port is not 53.
 */
export async function askNameServers(
  hostname: string,
  timeoutMs: number,
  servers: readonly string[] = getServers(),
): Promise<NamesFound> {
  const name = encodeName(hostname);
  if (!name) return { addresses: [], haveFailed: false, areTooMany: false };
  const giveUpAt = performance.now() + timeoutMs;
  const rounds = Array.from({ length: ROUNDS }, (_, round) => QUERY_TIMEOUT_MS * 2 ** round);
  const tries = rounds.flatMap((queryTimeoutMs) => servers.map((server) => ({ server, queryTimeoutMs })));
  const found = new Map<RecordType, LookupAddress[]>();
  let haveFailed = false;
  let areTooMany = false;
  for (const { server, queryTimeoutMs } of tries) {
    const waitMs = Math.min(giveUpAt - performance.now(), queryTimeoutMs);
    const types = RECORD_TYPES.filter((type) => !found.has(type));
    // Stop if one family has addresses: some name servers never respond to a query for the other family.
    const isFound = [...found.values()].some(({ length }) => length > 0);
    if (types.length === 0 || isFound || waitMs <= 0) break;
    // A new port and a new id for each query make forged responses unlikely.
    const queries = types.map((type) => queryFor(name, type));
    const responses = await ask(server, queries, waitMs);
    haveFailed = false;
    for (const [index, type] of types.entries()) {
      const response = responses?.[index];
      const flags = response?.readUInt16BE(2) ?? 0;
      const code = response && flags & RESPONSE_CODE;
      if (response && (code === NO_ERROR || code === NAME_ERROR)) {
        const addresses = addressesIn(response, type);
        found.set(type, addresses);
        areTooMany ||= addresses.length === 0 && (flags & TRUNCATED) !== 0;
      } else if (responses && (code === undefined || code === SERVER_FAILURE)) haveFailed = true;
    }
  }
  return { addresses: RECORD_TYPES.flatMap((type) => found.get(type) ?? []), haveFailed, areTooMany };
}

/**
 * Returns the response to each query, or undefined for a response that does not arrive in time. Returns undefined
 * instead of the list if the name server cannot be reached. Throws if this machine has run out of a resource.
 */
async function ask(
  server: string,
  queries: readonly Buffer[],
  timeoutMs: number,
): Promise<(Buffer | undefined)[] | undefined> {
  const [, address = server, port = DNS_PORT] = isIP(server) ? [] : (/^\[?(.+?)\]?:(\d+)$/.exec(server) ?? []);
  const { promise, resolve, reject } = Promise.withResolvers<(Buffer | undefined)[] | undefined>();
  const responses = queries.map((): Buffer | undefined => undefined);
  const fail = (error: NodeJS.ErrnoException) => (SHORTAGES.has(error.code ?? '') ? reject(error) : resolve(undefined));
  const timer = setTimeout(() => resolve(responses), timeoutMs);
  const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4');
  socket
    .on('connect', () => {
      for (const query of queries) socket.send(query, (error) => error && fail(error));
    })
    .on('message', (message) => {
      const index = queries.findIndex((query) => isResponseTo(query, message));
      if (index >= 0) responses[index] = message;
      if (!responses.includes(undefined)) resolve(responses);
    })
    .on('error', fail)
    // A connected socket ignores messages from other addresses, and gets an error if the server's port is closed.
    .connect(Number(port), address);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    socket.close();
  }
}

/** Returns undefined if the name is not valid in DNS. */
function encodeName(hostname: string): Buffer | undefined {
  const labels = hostname.replace(/\.$/, '').split('.');
  const parts = labels.map((label) => Buffer.from(label, 'latin1'));
  if (parts.some(({ length }) => length === 0 || length > LABEL_MAX_BYTES)) return undefined;
  const name = Buffer.concat([...parts.flatMap((part) => [Buffer.of(part.length), part]), Buffer.of(0)]);
  return name.length > NAME_MAX_BYTES ? undefined : name;
}

/** A query is a message with one question (RFC 1035, section 4.1). */
function queryFor(name: Buffer, { code }: RecordType): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt16BE(randomInt(2 ** 16));
  header.writeUInt16BE(RECURSION_DESIRED, 2);
  header.writeUInt16BE(1, 4);
  return Buffer.concat([header, name, Buffer.of(0, code, 0, INTERNET)]);
}

/** Name servers may change the case of letters in the name. */
function isResponseTo(query: Buffer, message: Buffer): boolean {
  if (message.length < query.length || message.length > RESPONSE_MAX_BYTES) return false;
  const questionOf = (bytes: Buffer) => bytes.toString('latin1', HEADER_BYTES, query.length).toLowerCase();
  return (
    message.readUInt16BE(0) === query.readUInt16BE(0) &&
    (message.readUInt16BE(2) & IS_RESPONSE) !== 0 &&
    message.readUInt16BE(4) === 1 &&
    questionOf(message) === questionOf(query)
  );
}

/** Reads the answer section, which follows the question section. */
function addressesIn(response: Buffer, type: RecordType): LookupAddress[] {
  const addresses: LookupAddress[] = [];
  let at = endOfName(response, HEADER_BYTES) + QUESTION_FIELDS_BYTES;
  for (let left = response.readUInt16BE(6); left > 0; left--) {
    at = endOfName(response, at);
    const dataAt = at + RECORD_FIELDS_BYTES;
    if (dataAt > response.length) break;
    const code = response.readUInt16BE(at);
    const recordClass = response.readUInt16BE(at + 2);
    const data = response.subarray(dataAt, dataAt + response.readUInt16BE(dataAt - 2));
    at = dataAt + response.readUInt16BE(dataAt - 2);
    if (code !== type.code || recordClass !== INTERNET || data.length !== type.bytes) continue;
    addresses.push({ address: textOf(data), family: type.family });
  }
  return addresses;
}

/** A name is a list of labels that ends with an empty label or with a pointer. */
function endOfName(message: Buffer, start: number): number {
  let at = start;
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    if ((length & POINTER) === POINTER) return at + 2;
    at += 1 + length;
  }
  return at + 1;
}

function textOf(address: Buffer): string {
  if (address.length === 4) return address.join('.');
  const groups = Array.from({ length: 8 }, (_, index) => address.readUInt16BE(2 * index).toString(16));
  return new SocketAddress({ address: groups.join(':'), family: 'ipv6' }).address;
}
