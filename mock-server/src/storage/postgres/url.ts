export const NO_POSTGRES_URL =
  'The database must be a URL such as postgres://user:password@host:5432/name. Encode special characters in the password, such as # as %23, / as %2F and @ as %40.';

/**
 * Whether the driver can use a URL, and the server can hide the URL's credentials in messages. A URL with an `@` after
 * the host is rejected, because the text before that `@` is part of an unencoded password.
 */
export function isPostgresUrl(text: string): boolean {
  const url = URL.parse(text);
  if (!url || !/^postgres(?:ql)?:$/.test(url.protocol) || /@/.test(url.pathname + url.hash)) return false;
  const ports = url.searchParams.getAll('port').every((port) => /^\d{1,5}$/.test(port));
  return ports && [url.username, url.password, url.pathname].every(isEncoded);
}

function isEncoded(part: string): boolean {
  try {
    decodeURIComponent(part);
    return true;
  } catch {
    return false;
  }
}

/** Returns the name of a database for messages: the host, port and path of its URL. */
export function databaseName(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host || 'on this machine'}${pathname}`;
}

/** Replaces a URL's user and password in `text` with `***`, except a user name that is part of a longer word. */
export function withoutCredentials(url: string, text: string): string {
  const { username, password, search } = new URL(url);
  const users = spellingsOf(username, search, 'user').map((user) => `(?<!\\w)${literally(user)}(?!\\w)`);
  const passwords = spellingsOf(password, search, 'password').map(literally);
  const found = [...passwords, ...users].join('|');
  return found === '' ? text : text.replaceAll(new RegExp(found, 'g'), '***');
}

/**
 * Returns all spellings of a URL's user or password: from `part` and from a query parameter, as written and decoded.
 * The longest spelling comes first, and must be replaced first, because it can contain a shorter spelling.
 */
function spellingsOf(part: string, search: string, parameter: string): string[] {
  const [, written = ''] = new RegExp(`[?&]${parameter}=([^&]*)`).exec(search) ?? [];
  const decoded = new URLSearchParams(search).get(parameter) ?? '';
  const spellings = [part, decodeURIComponent(part), written, decoded];
  return spellings.filter((text) => text !== '').sort((a, b) => b.length - a.length);
}

const literally = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
